import { join } from 'node:path';
import { wallTimeOf } from '../../../schemas/steadyTime.ts';
import type { Turn } from '../contract/adapter.ts';
import type { Attachment } from './attachment.ts';
import type { Ledger } from './deliver/ledger.ts';
import { HOOK_SCRIPT } from './observe/hookScript.ts';
import { awaitsScreen, turnEndOf } from './observe/turnEnd.ts';
import { runsMore } from './process/runsMore.ts';
import type { Profile } from './profile/profile.ts';

/** The first pause before another look at processes that may still write; each later one is twice as long. */
const LOOK_AGAIN_MS = 50;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The turn of the program in that pane. */
export function turnIn(
  { observer, pane }: Pick<Attachment, 'observer' | 'pane'>,
  { profile, ledger, sessionDir }: { profile: Profile; ledger: Pick<Ledger, 'lastTypedAt'>; sessionDir: string },
): Turn {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  let pauseMs = LOOK_AGAIN_MS;
  let timer: NodeJS.Timeout | undefined;

  /** Time that passes and the end of a process bring no evidence. */
  function tellIn(ms: number): undefined {
    clearTimeout(timer);
    if (listeners.size > 0) timer = setTimeout(tell, Math.min(ms, LONGEST_TIMER_MS));
  }

  return {
    async endedAt() {
      const since = ledger.lastTypedAt();
      if (since === undefined) return undefined;
      // The loss of a pane is reported elsewhere.
      if (awaitsScreen(observer.status(), profile, since)) await observer.readScreen().catch(() => {});
      const status = observer.status();
      const at = turnEndOf(status, profile, since);
      if (at === undefined) return tellIn(observer.changesIn(status) ?? Number.POSITIVE_INFINITY);
      if (!runsMore(sessionDir, pane.pid, join(sessionDir, HOOK_SCRIPT))) return wallTimeOf(at);
      pauseMs *= 2;
      return tellIn(pauseMs / 2);
    },
    listen(listener) {
      const stop = observer.changes.listen((kind) => {
        if (kind !== 'evidence') return;
        pauseMs = LOOK_AGAIN_MS;
        listener();
      });
      listeners.add(listener);
      return () => {
        stop();
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
    },
  };
}
