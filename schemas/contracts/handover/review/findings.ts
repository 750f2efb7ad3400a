import type { Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { HANDOVER } from '../document/contract.ts';
import { checkReview } from './review.ts';
import type { ReviewFinding } from './reviewFindings.ts';

/** The goals of a remediation plan, and the findings that it may leave. */
export interface RemediationGoals {
  goals: ReviewFinding[];
  skipped: ReviewFinding[];
  /** The ids of the goals, for `source_findings` of the plan. */
  sourceFindings: string[];
}

/** Reads a review as planning does: what is missing does not stop it. */
export function remediationGoals(file: FileText, path: string, subject = path): Report<RemediationGoals> {
  const report = checkReview(file, path, 'soft', subject);
  return { ...report, parsed: report.parsed && goalsOf(report.parsed.findings) };
}

export function goalsOf(findings: readonly ReviewFinding[]): RemediationGoals {
  const goals = findings.filter(({ severity }) => HANDOVER.severities.goals.includes(severity));
  const skipped = findings.filter(({ severity }) => HANDOVER.severities.skipped.includes(severity));
  return { goals, skipped, sourceFindings: goals.map(({ id }) => id) };
}
