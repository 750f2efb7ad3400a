import type { Logger } from 'pino';
import type { DevflowError } from '../../../schemas/errors.ts';
import type { Run } from '../core/state.ts';

export interface Revival {
  /** Takes the run up again, later. */
  parked(runId: string, error: DevflowError): void;
  /** The run writes again: the next failure is a first one. */
  wrote(runId: string): void;
  stop(): void;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * A run that could not write to its log is read anew from there and goes on: what stood in the way (a full disk, a
 * database that was restarted) may be gone. Not so where the log and the code disagree: that run rests until a restart.
 */
export function createRevival(options: {
  readRun(runId: string): Promise<Run | undefined>;
  takeUp(run: Run): void;
  log: Pick<Logger, 'warn' | 'error'>;
  firstDelayMs?: number;
}): Revival {
  const { readRun, takeUp, log, firstDelayMs = FIRST_DELAY_MS } = options;
  const failures = new Map<string, number>();
  const timers = new Map<string, NodeJS.Timeout>();
  let stopped = false;

  function later(runId: string): void {
    if (stopped) return;
    const before = failures.get(runId) ?? 0;
    failures.set(runId, before + 1);
    const delay = Math.min(firstDelayMs * 2 ** Math.min(before, 16), LONGEST_DELAY_MS);
    timers.set(
      runId,
      setTimeout(() => void attempt(runId), delay),
    );
  }

  async function attempt(runId: string): Promise<void> {
    timers.delete(runId);
    try {
      const run = await readRun(runId);
      if (!run || stopped) return;
      log.warn({ runId }, 'the run is taken up again');
      takeUp(run);
    } catch (error) {
      log.error({ runId, err: error }, 'the run cannot be taken up yet');
      later(runId);
    }
  }

  return {
    parked(runId, error) {
      if (error.code !== 'internal_state_corruption') later(runId);
    },
    wrote: (runId) => failures.delete(runId),
    stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
