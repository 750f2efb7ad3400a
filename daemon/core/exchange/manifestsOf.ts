import type { EffectOf } from '../effect/effect.ts';
import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { newestPlan } from './newestPlan.ts';

/**
 * What the steps of the newest plan promise of the phase that carries it out; undefined for other phases. What changed counts
 * from the commit of the plan, so that it includes all attempts. Without one it counts from `since`.
 */
export function manifestsOf(run: Run, phase: Phase, since: string): EffectOf<'commitWork'>['manifests'] {
  if (run.template.exchange !== 'handover') return undefined;
  const { expectedArtifact } = definitionOf(run, phase);
  if (!expectedArtifact || expectedArtifact.schema.startsWith('handover/')) return undefined;
  const plan = newestPlan(run);
  const { steps: all = [] } = plan?.document ?? {};
  const steps = all.flatMap(({ number: step, manifest }) => (manifest ? [{ step, manifest }] : []));
  return steps.length === 0 ? undefined : { since: plan?.phase.commits.at(-1)?.commit ?? since, steps };
}
