import type { EffectOf } from '../effect/effect.ts';
import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { newestPlan } from './newestPlan.ts';

/**
 * The promises of the newest plan's steps, for the phase that carries it out; undefined for other phases. Changes count
 * from the commit of the plan, so they include all attempts. Without one they count from `since`.
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
