import type { EffectOf } from '../effect/effect.ts';
import { commitsEachStep } from '../run/behaviour.ts';
import type { Run } from '../run/state.ts';
import { newestPlan } from './newestPlan.ts';

/** The steps of the newest plan that say which files are theirs; undefined if the work becomes one commit. */
export function stepCommits(run: Run): EffectOf<'commitWork'>['eachStep'] {
  if (!commitsEachStep(run)) return undefined;
  const { steps = [] } = newestPlan(run)?.document ?? {};
  const named = steps.flatMap(({ number: step, title, manifest }) => {
    const paths = manifest?.expected_paths ?? [];
    return paths.length === 0 ? [] : [{ step, title, paths }];
  });
  return named.length === 0 ? undefined : named;
}
