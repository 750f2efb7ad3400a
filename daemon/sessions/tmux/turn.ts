import { join } from 'node:path';
import { wallTimeOf } from '../../../schemas/steadyTime.ts';
import type { Turn } from '../contract/adapter.ts';
import type { Attachment } from './attachment.ts';
import type { Ledger } from './deliver/ledger.ts';
import { HOOK_SCRIPT } from './observe/hookScript.ts';
import { awaitsScreen, turnEndOf } from './observe/turnEnd.ts';
import { runsMore } from './process/runsMore.ts';
import type { Profile } from './profile/profile.ts';

/** True if the program reported the end of its turn. Something that it left behind may still write. */
export function hasEndedTurn(
  { observer }: Pick<Attachment, 'observer'>,
  { profile, ledger }: { profile: Profile; ledger: Pick<Ledger, 'lastTypedAt'> },
): boolean {
  const since = ledger.lastTypedAt();
  return since !== undefined && turnEndOf(observer.status(), profile, since) !== undefined;
}

/** The turn of the program in that pane. */
export function turnIn(
  { observer, pane }: Pick<Attachment, 'observer' | 'pane'>,
  { profile, ledger, sessionDir }: { profile: Profile; ledger: Pick<Ledger, 'lastTypedAt'>; sessionDir: string },
): Turn {
  async function reportedEnd(): Promise<number | undefined> {
    const since = ledger.lastTypedAt();
    if (since === undefined) return undefined;
    // The loss of a pane is reported elsewhere.
    if (awaitsScreen(observer.status(), profile, since)) await observer.readScreen().catch(() => {});
    return turnEndOf(observer.status(), profile, since);
  }
  return {
    async endedAt() {
      const at = await reportedEnd();
      return at === undefined || runsMore(sessionDir, pane.pid, join(sessionDir, HOOK_SCRIPT))
        ? undefined
        : wallTimeOf(at);
    },
    listen: (listener) => observer.changes.listen((kind) => kind === 'evidence' && listener()),
  };
}
