import { isTerminal } from '../../../schemas/enums.ts';
import { decide } from '../core/decide.ts';
import type { Run } from '../core/run/state.ts';
import type { View, Wanted } from './plan.ts';

/** What Temporal learns of a run: names, never content. `life` is the lease of the host's daemon, if it made the view. */
export function viewOf(run: Run, queue: string, life?: number): View {
  const wanted = decide(run).map((effect): Wanted => {
    const { key, type } = effect;
    if (type !== 'expireApproval') return { key, type };
    return { key, type, until: new Date(Date.parse(effect.since) + effect.timeoutMs).toISOString() };
  });
  const view = { seq: run.lastSeq, ended: isTerminal(run.state), queue, wanted };
  return life === undefined ? view : { ...view, life };
}
