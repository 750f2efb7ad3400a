import { toErrorRecord } from '../../../schemas/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { Clock } from '../../system/clock.ts';
import { decide } from '../core/decide.ts';
import type { Run } from '../core/run/state.ts';
import type { SharedRuns } from '../local/engine.ts';
import { UNKNOWN_RUN, type View } from './plan.ts';
import { expiryOf } from './view.ts';

/**
 * What any daemon does for a run, also for one of another host: `expire` records that a gate timed out, `silent` that no
 * daemon of the host took an effect. A call that comes early, or late in another state, records nothing.
 */
export function createUnattended(options: {
  runs: Pick<SharedRuns, 'catchUp' | 'record'>;
  viewOf(run: Run): View;
  hostOf(run: Run): string;
  /** The database's: one clock for all hosts says when a gate times out. */
  clock: Clock;
}) {
  const { runs, viewOf, hostOf, clock } = options;

  return {
    async expire(runId: string, key: string): Promise<View> {
      const run = await runs.catchUp(runId);
      if (!run) return UNKNOWN_RUN;
      const timer = decide(run).find((effect) => effect.key === key);
      if (timer?.type !== 'expireApproval' || clock.now() < expiryOf(timer)) return viewOf(run);
      const { approvalRequestId, since } = timer;
      return viewOf(await runs.record(runId, { type: 'approvalExpired', approvalRequestId, since }));
    },
    async silent(runId: string, key: string): Promise<View> {
      const run = await runs.catchUp(runId);
      if (!run) return UNKNOWN_RUN;
      const error = new DevflowError('host_unreachable', `The host ${hostOf(run)} takes no work.`, { runId });
      return viewOf(await runs.record(runId, { type: 'effectFailed', key, error: toErrorRecord(error) }));
    },
  };
}
