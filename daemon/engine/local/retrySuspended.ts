import type { Logger } from 'pino';
import type { DevflowError } from '../../../schemas/errors.ts';
import { backoffMs } from '../../../schemas/time/steadyTime.ts';
import type { Run } from '../../core/run/state.ts';

export interface SuspendedRuns {
  /** Schedules a retry of the run. */
  suspended(runId: string, error: DevflowError): void;
  /** The run wrote its log, so the next failure starts with the shortest delay. */
  wrote(runId: string): void;
  stop(): void;
}

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * Retries runs that could not write their log: reads the log again and resumes the run. A full disk or a restarted
 * database may be over by then. A run whose log and code disagree stays suspended until a restart.
 */
export function retrySuspendedRuns(options: {
  readRun(runId: string): Promise<Run | undefined>;
  resume(run: Run): void;
  log: Pick<Logger, 'warn' | 'error'>;
  firstDelayMs?: number;
}): SuspendedRuns {
  const { readRun, resume, log, firstDelayMs = FIRST_DELAY_MS } = options;
  const failures = new Map<string, number>();
  const timers = new Map<string, NodeJS.Timeout>();
  let stopped = false;

  function schedule(runId: string): void {
    if (stopped) return;
    const before = failures.get(runId) ?? 0;
    failures.set(runId, before + 1);
    const delay = backoffMs(before, { firstMs: firstDelayMs, longestMs: LONGEST_DELAY_MS });
    timers.set(
      runId,
      setTimeout(() => void retry(runId), delay),
    );
  }

  async function retry(runId: string): Promise<void> {
    timers.delete(runId);
    try {
      const run = await readRun(runId);
      if (!run || stopped) return;
      log.warn({ runId }, 'resuming the suspended run');
      resume(run);
    } catch (error) {
      log.error({ runId, err: error }, 'the run stays suspended');
      schedule(runId);
    }
  }

  return {
    suspended(runId, error) {
      if (error.code !== 'internal_state_corruption') schedule(runId);
    },
    wrote: (runId) => failures.delete(runId),
    stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
