import type { FindingView } from '../rpc/views/findings.ts';
import { severityRank } from './severity.ts';

export interface FindingGroup {
  title: string;
  findings: FindingView[];
}

/** The findings in the order in which a person looks at them; within a group the most severe first. */
export function findingGroups(findings: readonly FindingView[]): FindingGroup[] {
  return TITLES.map((title) => ({
    title,
    findings: findings.filter((finding) => titleOf(finding) === title).sort(bySeverityAndPlace),
  })).filter((group) => group.findings.length > 0);
}

/** All findings in the order of their groups. */
export function sortedFindings(findings: readonly FindingView[]): FindingView[] {
  return findingGroups(findings).flatMap((group) => group.findings);
}

const TITLES = ['Blockers', 'Reported only', 'Fixed or accepted', 'Rejected or duplicate'] as const;

function titleOf({ isBlocker, state }: FindingView): (typeof TITLES)[number] {
  if (isBlocker) return 'Blockers';
  if (state === 'fixed' || state === 'accepted') return 'Fixed or accepted';
  return state === 'rejected' || state === 'duplicate' ? 'Rejected or duplicate' : 'Reported only';
}

function bySeverityAndPlace(a: FindingView, b: FindingView): number {
  const step = severityRank(b.severity) - severityRank(a.severity);
  if (step !== 0) return step;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}
