import type { Binding } from '../../../schemas/definitions/persona.ts';
import type { Run } from '../../core/run/state.ts';
import type { ReviewPhase } from './reviewOf.ts';
import { makersOf, rolesOf } from './reviewRoles.ts';
import type { Finding } from './state.ts';

/** After so many verifiers of one finding devflow asks a person. */
const MOST_JUDGES = 2;

/**
 * The next judge of a finding; undefined if nobody is left. A judge neither reported it nor judged it in this round. A backend
 * that neither found nor made it is preferred. Verifiers come before reviewers.
 */
export function judgeOf(run: Run, phase: ReviewPhase, finding: Finding, round: number): Binding | undefined {
  const { reviewers, verifiers } = rolesOf(run, phase);
  const judged = finding.resolutions.filter((each) => each.round === round && each.by === 'verifier');
  if (judged.length >= MOST_JUDGES) return undefined;
  const taken = new Set([...finding.reporters, ...judged].map(({ roleId }) => roleId));
  const free = [...verifiers, ...reviewers].filter(({ roleId }) => !taken.has(roleId));
  const used = new Set<string | null>([...finding.reporters, ...judged].map(({ backend }) => backend));
  const makers = makersOf(run, phase);
  const isOther = ({ backend }: Binding) => !used.has(backend);
  return free.find((each) => isOther(each) && !makers.includes(each.backend)) ?? free.find(isOther) ?? free[0];
}

/** One more reviewer, on a backend that has not looked yet. */
export function extraReviewer(run: Run, phase: ReviewPhase): Binding | undefined {
  const { reviewers, verifiers } = rolesOf(run, phase);
  return verifiers.find(({ backend }) => !reviewers.some((reviewer) => reviewer.backend === backend));
}
