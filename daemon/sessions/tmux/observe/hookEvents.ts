import { promptsIn } from '../../../../schemas/envelope.ts';
import { isMachineFault, toErrorRecord } from '../../../../schemas/errors/errorRecord.ts';
import type { Launches } from '../process/launches.ts';
import type { HookEvent, Profile } from '../profile/profile.ts';

/** Facts of hooks besides the agent's state: the prompts it took, and the place of its conversation. */
export interface HookEvents {
  take(event: HookEvent): void;
  /** True if a hook has reported that prompt. */
  showed(uuid: string): boolean;
}

/** `outside`: the path of a file that a program in a sandbox names. */
export function createHookEvents(
  profile: Pick<Profile, 'conversationId'>,
  launches: Launches,
  outside: (path: string) => string = (path) => path,
): HookEvents {
  const shown = new Set<string>();

  return {
    take({ name, data }) {
      if (name === 'UserPromptSubmit' && typeof data.prompt === 'string')
        for (const { uuid } of promptsIn(data.prompt)) shown.add(uuid);
      const facts = launches.now();
      const path = typeof data.transcript_path === 'string' ? outside(data.transcript_path) : undefined;
      const id = typeof data.session_id === 'string' ? data.session_id : undefined;
      const isReported = profile.conversationId === 'reported' && id !== undefined;
      const isNew =
        (path !== undefined && path !== facts.transcriptPath) || (isReported && id !== facts.conversationId);
      if (!isNew) return;
      try {
        launches.note({ type: 'told', transcriptPath: path, ...(isReported ? { conversationId: id } : {}) });
      } catch (error) {
        // The next hook reports it again, and nobody catches what a listener throws.
        if (!isMachineFault(toErrorRecord(error).code)) throw error;
      }
    },
    showed: (uuid) => shown.has(uuid),
  };
}
