import { contractOf } from '../../../schemas/contracts/handover/document/contract.ts';
import type { PlanDocument } from '../../../schemas/contracts/handover/plan/plan.ts';
import type { EffectOf } from '../effect/effect.ts';
import { commitsEachStep } from '../run/behaviour.ts';
import { newestArtifact } from '../run/newestArtifact.ts';
import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';

export const PLAN = contractOf('plan');

/** The plan that was validated last, and the phase that made it; undefined without one. */
export function newestPlan(run: Run): { document: Partial<PlanDocument>; phase: Phase; at: string } | undefined {
  const found = newestArtifact(run, PLAN);
  return found && { document: (found.artifact.data ?? {}) as Partial<PlanDocument>, phase: found.phase, at: found.at };
}

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
