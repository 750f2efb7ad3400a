import { DevflowError } from '../../../../schemas/errors.ts';
import { agentName } from '../../../../schemas/mainLane.ts';
import { steadyNow } from '../../../../schemas/time/steadyTime.ts';
import type { Observer } from '../observe/observer.ts';
import { ENDED_BY_OTHERS } from '../profile/evidence.ts';
import type { Timings } from '../profile/profile.ts';
import { plain } from '../profile/screen.ts';

interface Who {
  roleId: string;
  laneId: string;
  runId: string;
  /** Absent: it has none. */
  sandbox?: unknown;
}

/**
 * Resolves when an agent can take a prompt or is working. Throws if it has ended or is not ready in time. The time
 * stands still while a person must act first.
 */
export async function awaitReady(
  observer: Pick<
    Observer,
    | 'changes'
    | 'status'
    | 'printedAt'
    | 'readScreen'
    | 'isScreenStale'
    | 'bracketedPaste'
    | 'firstReadyAt'
    | 'changesIn'
  >,
  timings: Timings,
  who: Who,
  signal: AbortSignal,
): Promise<void> {
  const ready = await observer.changes.until<true>(
    async () => {
      const { state, detail } = observer.status();
      if (state === 'DEAD') throw ended(who, detail, who.sandbox === undefined ? undefined : await lastWords(observer));
      if (state === 'BUSY') return { done: true };
      const silentMs = steadyNow() - (observer.printedAt() ?? 0);
      if (silentMs < timings.stableMs) return { againMs: timings.stableMs - silentMs };
      const { composer } = await observer.readScreen();
      // It has printed meanwhile. Facts that only the screen tells, such as a missing login, count once it is read.
      if (observer.isScreenStale()) return { againMs: timings.stableMs };
      const status = observer.status();
      const isReady = status.state === 'READY' && composer !== undefined && observer.bracketedPaste();
      // Some programs draw their composer just before their first dialog (Codex, its question about trust).
      const early = timings.settleStartMs - (steadyNow() - (observer.firstReadyAt() ?? 0));
      if (isReady) return early > 0 ? { againMs: early } : { done: true };
      return { againMs: observer.changesIn(status), unlimited: ENDED_BY_OTHERS.includes(status.state) };
    },
    { timeoutMs: timings.startMs, signal },
  );
  if (ready) return;
  const { state, rule } = observer.status();
  throw lost(`The agent of ${agentName(who)} is not ready in time: ${state} (${rule}).`, who.runId);
}

/** In one line, bubblewrap and devflow's guard say why they do not start the program. */
const OF_SANDBOX = /^(?:bwrap|devflow): /;

function ended(who: Who, detail: string, said: string | undefined): DevflowError {
  const { runId } = who;
  if (said === undefined || !OF_SANDBOX.test(said))
    return lost(`The agent of ${agentName(who)} ended during its start: ${detail}.`, runId);
  return new DevflowError('sandbox_unavailable', `The sandbox of ${agentName(who)} was not made: ${said}.`, { runId });
}

const MOST_CHARACTERS = 300;

/** The last line that the ended program left on its screen. */
async function lastWords({ readScreen }: Pick<Observer, 'readScreen'>): Promise<string | undefined> {
  const read = await readScreen().catch(() => undefined);
  const rows = read?.screen.lines.map((row) => plain(row).trim()) ?? [];
  return rows.findLast((row) => row !== '' && !row.startsWith('Pane is dead'))?.slice(0, MOST_CHARACTERS);
}

function lost(message: string, runId: string): DevflowError {
  return new DevflowError('pane_briefly_unresponsive', message, { runId });
}
