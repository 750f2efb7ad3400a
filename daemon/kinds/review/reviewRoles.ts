import type { Binding } from '../../../schemas/definitions/persona.ts';
import { isLaneEnded } from '../../../schemas/enums.ts';
import { definitionOf } from '../../core/run/query.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import type { ReviewPhase } from './reviewOf.ts';

export interface ReviewRoles {
  reviewers: Binding[];
  verifiers: Binding[];
  /** Null if the phase ends with its findings. */
  fixer: Binding | null;
}

export function rolesOf(run: Run, phase: ReviewPhase): ReviewRoles {
  const [reviewer, verifier, fixer] = definitionOf(run, phase).roles;
  const bound = (role: string | undefined) => run.bindings.filter((binding) => binding.role === role);
  return { reviewers: bound(reviewer), verifiers: bound(verifier), fixer: bound(fixer)[0] ?? null };
}

/** The open lane in which a reviewer or verifier reads. */
export function laneOfRole(run: Run, { id }: ReviewPhase, roleId: string): Lane | undefined {
  return run.lanes.find((lane) => lane.phaseId === id && lane.roleId === roleId && !isLaneEnded(lane.state));
}

/** The lane in which a reviewer or verifier reads. It opens before anything else. */
export function getLaneOfRole(run: Run, phase: ReviewPhase, roleId: string): Lane {
  const lane = laneOfRole(run, phase, roleId);
  if (!lane) throw new TypeError(`${roleId} has no lane in phase ${phase.key}`);
  return lane;
}

/** The backends that made the change: of the fixer, or else of the agents that worked last. */
export function makersOf(run: Run, phase: ReviewPhase): string[] {
  const { fixer } = rolesOf(run, phase);
  if (fixer) return [fixer.backend];
  const before = run.phases.findLast(({ seq, assignments }) => seq < phase.seq && assignments.length > 0);
  const roles = new Set(before?.assignments.map(({ roleId }) => roleId));
  return run.bindings.filter(({ roleId }) => roles.has(roleId)).map(({ backend }) => backend);
}
