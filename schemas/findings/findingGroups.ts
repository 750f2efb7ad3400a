import { SEVERITIES } from '../names.ts';
import type { FindingView } from '../rpc/views/findings.ts';

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

/** The change cannot pass before somebody fixes, rejects or accepts it. */
export function isOpenBlocker({ isBlocker, state }: Pick<FindingView, 'isBlocker' | 'state'>): boolean {
  return isBlocker && OPEN.has(state);
}

const OPEN = new Set(['unverified', 'confirmed', 'disputed']);
const TITLES = ['Blockers', 'Confirmed or disputed', 'Reported only', 'Fixed or accepted', 'Rejected or duplicate'];

function titleOf(finding: FindingView): string | undefined {
  const { state, isLate, isPreExisting } = finding;
  const [blockers, confirmed, reported, fixed, dropped] = TITLES;
  if (isOpenBlocker(finding)) return blockers;
  if (state === 'fixed' || state === 'accepted') return fixed;
  if (state === 'rejected' || state === 'duplicate') return dropped;
  return state === 'unverified' || isLate || isPreExisting ? reported : confirmed;
}

function bySeverityAndPlace(a: FindingView, b: FindingView): number {
  const weight = ({ severity }: FindingView) => SEVERITIES.indexOf(severity);
  if (weight(a) !== weight(b)) return weight(b) - weight(a);
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}
