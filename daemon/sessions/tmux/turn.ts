import { join } from 'node:path';
import { LONGEST_TIMER_MS, wallTimeOf } from '../../../schemas/time/steadyTime.ts';
import type { Turn } from '../contract/adapter.ts';
import type { Attachment } from './attachment.ts';
import type { Ledger } from './deliver/ledger.ts';
import { firstPromptMs } from './endLeftovers.ts';
import { HOOK_SCRIPT } from './observe/hookScript.ts';
import { awaitsScreen, turnEndOf } from './observe/turnEnd.ts';
import { runsMore } from './process/laterProcesses.ts';
import type { Launches } from './process/launches.ts';
import type { Profile } from './profile/profile.ts';

/** The pause before another look at processes that may still write: twice as long each time, up to the longest. */
const LOOK_AGAIN_MS = 50;
const LOOK_LATEST_MS = 1_000;

/** The turn of the program in that pane. */
export function turnIn(
  { observer, pane }: Pick<Attachment, 'observer' | 'pane'>,
  {
    profile,
    ledger,
    launches,
    sessionDir,
  }: {
    profile: Profile;
    ledger: Pick<Ledger, 'lastTypedAt' | 'firstTypedAt'>;
    launches: Pick<Launches, 'now'>;
    sessionDir: string;
  },
): Turn {
  const listeners = new Set<() => void>();
  /** The end and its time by the wall clock, converted once: two conversions may differ by a millisecond. */
  let ended: { at: number; wallTime: number } | undefined;
  let pauseMs = LOOK_AGAIN_MS;
  let timer: NodeJS.Timeout | undefined;

  /** Lets the listeners look again: neither passing time nor the end of a process brings evidence. */
  function notifyIn(ms: number | undefined, nextPauseMs: number): undefined {
    clearTimeout(timer);
    if (ms === undefined || listeners.size === 0) return;
    timer = setTimeout(
      () => {
        pauseMs = nextPauseMs;
        for (const listener of [...listeners]) listener();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
  }

  return {
    async endedAt() {
      const since = ledger.lastTypedAt();
      if (since === undefined) return undefined;
      // The loss of a pane is reported elsewhere.
      if (awaitsScreen(observer.status(), profile, since)) await observer.readScreen().catch(() => {});
      const status = observer.status();
      const at = turnEndOf(status, profile, since);
      if (at === undefined) return notifyIn(observer.changesIn(status), LOOK_AGAIN_MS);
      const session = { directory: sessionDir, leader: pane.pid, except: join(sessionDir, HOOK_SCRIPT) };
      if (runsMore(session, firstPromptMs(pane.pid, launches, ledger)))
        return notifyIn(pauseMs, Math.min(2 * pauseMs, LOOK_LATEST_MS));
      if (ended?.at !== at) ended = { at, wallTime: wallTimeOf(at) };
      return ended.wallTime;
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
