import { isTerminal } from '../../../schemas/enums.ts';
import { decide } from '../../core/decide.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import type { Run } from '../../core/run/state.ts';
import type { View, Wanted } from './plan.ts';

/**
 * The view of a run for Temporal: names, never content. `at` is the database's time; `life` is the lease of the host's
 * daemon, if it made the view.
 */
export function viewOf(run: Run, queue: string, at: Date, life?: number): View {
  const wanted = decide(run).map((effect): Wanted => {
    const { key, type } = effect;
    if (type !== 'expireApproval') return { key, type };
    return { key, type, until: expiryOf(effect).toISOString() };
  });
  const view = { seq: run.lastSeq, ended: isTerminal(run.state), queue, wanted, at: at.toISOString() };
  return life === undefined ? view : { ...view, life };
}

/** When a gate times out. */
export function expiryOf({ since, timeoutMs }: EffectOf<'expireApproval'>): Date {
  return new Date(Date.parse(since) + timeoutMs);
}
