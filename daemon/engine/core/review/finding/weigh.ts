import type { ReviewSettings } from '../../../../../schemas/definitions/reviewSettings.ts';
import type { Finding } from '../../run/reviewState.ts';
import { isAtLeast } from './votes.ts';

type Bar = Pick<ReviewSettings, 'bar'>;

/** A finding that keeps the change from passing if it is true. What is older than the change, or late, does so only if critical. */
function counts({ severity, isPreExisting, isLate }: Finding, { bar }: Bar): boolean {
  if (severity === 'critical') return true;
  return isAtLeast(severity, bar) && !isPreExisting && !isLate;
}

/** A finding that keeps the change from passing. */
export function isBlocker(finding: Finding, bar: Bar): boolean {
  return finding.state === 'confirmed' && counts(finding, bar);
}

/** A finding that is true, or that nobody could settle. */
export function isOpen(finding: Finding, bar: Bar): boolean {
  return isBlocker(finding, bar) || mustBeJudged(finding, bar);
}

/** A finding whose truth decides whether the change passes. A doubtful quote is enough only for a severe one. */
export function mustBeJudged(finding: Finding, bar: Bar): boolean {
  const isOpen = finding.state === 'unverified' || finding.state === 'disputed';
  return isOpen && counts(finding, bar) && (finding.anchor !== null || isAtLeast(finding.severity, 'high'));
}
