import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { decide } from '../../core/decide.ts';
import type { Run } from '../../core/run/state.ts';
import type { SharedRuns } from '../local/engine.ts';
import type { AskedAdvance } from './askedAdvance.ts';
import type { Sdk } from './loadSdk.ts';
import { UNKNOWN_RUN, type View } from './plan.ts';

/** An attempt of an activity: performs one effect of a run, or joins what an earlier attempt began. */
export type Attempt = (runId: string, key: string, seq: number) => Promise<View>;

export function createAttempt(options: {
  sdk: Pick<Sdk, 'activity'>;
  runs: Pick<SharedRuns, 'catchUp'>;
  /** Undefined for a run that is over, or on another host. */
  advanceOf(runId: string): AskedAdvance | undefined;
  /** Temporal knows nothing of the attempt: it may have lost the workflow. */
  onForgotten(run: Run): void;
  viewOf(run: Run): View;
  heartbeatMs: number;
}): Attempt {
  const { sdk, runs, advanceOf, onForgotten, viewOf, heartbeatMs } = options;

  /** Nobody drives the run: it has ended, or this daemon could not read it yet. */
  function viewWithout(run: Run, key: string): View {
    if (isTerminal(run.state) || decide(run).every((effect) => effect.key !== key)) return viewOf(run);
    throw new DevflowError('shutting_down', `Run ${run.id} is not ready.`);
  }

  return async (runId, key, seq) => {
    const context = sdk.activity.Context.current();
    const { cancellationSignal } = context;
    const beat = setInterval(() => context.heartbeat(), heartbeatMs / 3);
    context.heartbeat();
    try {
      for (;;) {
        const over = advanceOf(runId)?.ask(key, cancellationSignal);
        // It may reject before it is awaited.
        over?.catch(() => {});
        const known = await runs.catchUp(runId, seq);
        if (!known) return UNKNOWN_RUN;
        if (!over) return viewWithout(known, key);
        const ended = await over;
        // An answer from before this daemon had read the log that far is no sign that the log went back. Ask again.
        if (ended.lastSeq >= seq || known.lastSeq < seq) return viewOf(ended);
      }
    } catch (error) {
      if (cancellationSignal.aborted) await letGo(runId, context.cancellationDetails);
      throw error;
    } finally {
      clearInterval(beat);
    }
  };

  /** Only the log ends an effect. That Temporal no longer wants an attempt is a reason to read it. */
  async function letGo(
    runId: string,
    details: import('@temporalio/activity').Context['cancellationDetails'],
  ): Promise<void> {
    if (details?.cancelRequested) await runs.catchUp(runId);
    if (!details?.notFound) return;
    const run = await runs.catchUp(runId, 0);
    if (run) onForgotten(run);
  }
}
