import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { backoffMs } from '../../../schemas/time/steadyTime.ts';
import type { Run } from '../../core/run/state.ts';

/** Tells Temporal where runs are. Nobody waits for it: what a person was told is in the log already. */
export interface Nudges {
  /** Tells the workflow of the run, or starts it. Retries until it works or a newer state of the run comes. */
  nudge(run: Run): void;
  /** Gives up what is not told yet. The next daemon tells it again. */
  stop(): void;
}

const RETRY = { firstMs: 100, longestMs: 5_000 };

export function createNudges(options: {
  /** Signals the workflow; `mayStart` starts it if there is none. */
  send(run: Run, mayStart: boolean): Promise<void>;
  log: Pick<Logger, 'debug' | 'warn'>;
}): Nudges {
  const { send, log } = options;
  /** The newest state of each run that its workflow must hear of. */
  const due = new Map<string, Run>();
  const sending = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;

  async function tell(runId: string): Promise<void> {
    sending.add(runId);
    let failures = 0;
    for (let run = due.get(runId); run && !isStopped; run = due.get(runId)) {
      due.delete(runId);
      try {
        // A run that needs nothing more needs no workflow: a decision about its cleanup starts none.
        await send(run, !isTerminal(run.state) || run.reportPath === null);
        failures = 0;
      } catch (err) {
        if (failures === 0) log.warn({ runId, err }, 'cannot tell Temporal that the run moved; retrying');
        if (!due.has(runId)) due.set(runId, run);
        await pause(backoffMs(failures, RETRY));
        failures += 1;
      }
    }
    sending.delete(runId);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });
  }

  return {
    nudge(run) {
      const known = due.get(run.id);
      if (isStopped || (known && known.lastSeq > run.lastSeq)) return;
      due.set(run.id, run);
      if (!sending.has(run.id)) void tell(run.id);
    },
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
