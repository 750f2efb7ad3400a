import { isTerminal } from '../../../schemas/enums.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { decide } from '../../core/decide.ts';
import { type Here, hostOf, isHere } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import type { Clock } from '../../system/clock.ts';
import type { SharedRuns } from '../local/engine.ts';
import { UNKNOWN_RUN, type View } from './plan.ts';
import { expiryOf } from './view.ts';
import type { ServerThere } from './watchServer.ts';

/** A shorter absence of Temporal, as a share of the limit, keeps no host from its work. */
const BLIP_SHARE = 0.1;

/** True if the silence of hosts counts anew, because until now it may be that of Temporal. Pure. */
export function worksAnew({ hasNewNamespace, unansweredMs }: ServerThere, silentHostMs: number): boolean {
  return hasNewNamespace || unansweredMs > BLIP_SHARE * silentHostMs;
}

/**
 * The work that any daemon does for a run, also for one of another host. `expire` records that a gate timed out.
 * `silent` records that no daemon of the host took an effect. A call that comes early, or late in another state,
 * records nothing. Silence from before this daemon could take work itself does not count. No host takes any while
 * Postgres or Temporal is away.
 */
export function createUnattended(options: {
  runs: Pick<SharedRuns, 'catchUp' | 'record'>;
  viewOf(run: Run): View;
  here: Here;
  silentHostMs: number;
  /** For how long this daemon has taken work. */
  hasWorkedMs(): number;
  /** The runs for which a host still has something to do. */
  listUnfinished(): Promise<string[]>;
  /** The database's: one clock for all hosts says when a gate times out. */
  clock: Clock;
}) {
  const { runs, viewOf, here, silentHostMs, hasWorkedMs, listUnfinished, clock } = options;

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
      // Its host is forgotten: nobody will do the rest.
      if (isTerminal(run.state) && !(await listUnfinished()).includes(runId)) return { ...viewOf(run), wanted: [] };
      if (isTerminal(run.state) || isHere(run, here) || hasWorkedMs() < silentHostMs) return viewOf(run);
      const message = `The host ${hostOf(run, here)} takes no work.`;
      const error = new DevflowError('host_unreachable', message, { runId });
      return viewOf(await runs.record(runId, { type: 'effectFailed', key, error: toErrorRecord(error) }));
    },
  };
}
