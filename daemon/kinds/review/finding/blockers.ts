import { isAtLeast, severityRank } from '../../../../schemas/findings/severity.ts';
import type { ReviewSettings } from '../../../../schemas/kinds/review/settings.ts';
import type { Finding } from '../state.ts';

type Bar = Pick<ReviewSettings, 'bar'>;

/** A finding that keeps the change from passing: it is true, or nobody could settle it. */
export function isBlocker(finding: Finding, bar: Bar): boolean {
  return mustBeFixed(finding, bar) || mustBeJudged(finding, bar);
}

/** A true finding that keeps the change from passing. */
export function mustBeFixed(finding: Finding, bar: Bar): boolean {
  return finding.state === 'confirmed' && wouldBlock(finding, bar);
}

/** A finding whose truth decides whether the change passes. A doubtful quote is enough only for a severe one. */
export function mustBeJudged(finding: Finding, bar: Bar): boolean {
  const isUnsettled = finding.state === 'unverified' || finding.state === 'disputed';
  return isUnsettled && wouldBlock(finding, bar) && (finding.anchor !== null || isAtLeast(finding.severity, 'high'));
}

/**
 * True if the finding keeps the change from passing once it is true. A finding that is late, or older than the change, does
 * so only if critical.
 */
function wouldBlock({ severity, isPreExisting, isLate }: Finding, { bar }: Bar): boolean {
  if (severity === 'critical') return true;
  return isAtLeast(severity, bar) && !isPreExisting && !isLate;
}

/** The most severe first; else as they were. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity));
}
