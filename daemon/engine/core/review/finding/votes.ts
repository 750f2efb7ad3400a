import { type Backend, FindingSeverity } from '../../../../../schemas/enums.ts';

/** How many backends reported a finding. Two personas on one backend make the same mistakes, so they are one vote. */
export function distinctBackends(reporters: readonly { backend: Backend }[]): number {
  return new Set(reporters.map(({ backend }) => backend)).size;
}

/** Four times as much for each step: four findings of one severity weigh as much as one of the next. */
export function severityWeight(severity: FindingSeverity): number {
  return 4 ** rankOf(severity);
}

export function isAtLeast(severity: FindingSeverity, bar: FindingSeverity): boolean {
  return rankOf(severity) >= rankOf(bar);
}

/** The more severe of the two. */
export function worse(a: FindingSeverity, b: FindingSeverity): FindingSeverity {
  return isAtLeast(a, b) ? a : b;
}

function rankOf(severity: FindingSeverity): number {
  return FindingSeverity.options.indexOf(severity);
}
