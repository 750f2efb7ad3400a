import { contractOf } from '../../../schemas/contracts/handover/document/contract.ts';
import type { PlanDocument } from '../../../schemas/contracts/handover/plan/plan.ts';
import { newestArtifact } from '../run/newestArtifact.ts';
import type { Phase, Run } from '../run/state.ts';

export const PLAN = contractOf('plan');

/** The plan that was validated last, and the phase that made it; undefined without one. */
export function newestPlan(run: Run): { document: Partial<PlanDocument>; phase: Phase; at: string } | undefined {
  const found = newestArtifact(run, PLAN);
  return found && { document: (found.artifact.data ?? {}) as Partial<PlanDocument>, phase: found.phase, at: found.at };
}
