import type { FindingSeverity } from '../enums.ts';
import { SEVERITIES } from '../names.ts';

/** From 0 for the least severe. */
export function severityRank(severity: FindingSeverity): number {
  return SEVERITIES.indexOf(severity);
}

/** Four times as much for each step: four findings of one severity weigh as much as one of the next. */
export function severityWeight(severity: FindingSeverity): number {
  return 4 ** severityRank(severity);
}

export function isAtLeast(severity: FindingSeverity, bar: FindingSeverity): boolean {
  return severityRank(severity) >= severityRank(bar);
}

/** The more severe of the two. */
export function worse(a: FindingSeverity, b: FindingSeverity): FindingSeverity {
  return isAtLeast(a, b) ? a : b;
}
