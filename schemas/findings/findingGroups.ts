import { counted } from '../counted.ts';
import type { Backend } from '../enums.ts';
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

/** The backends that reported it, each once. */
export function backendsOf({ reporters }: Pick<FindingView, 'reporters'>): Backend[] {
  return [...new Set(reporters.map(({ backend }) => backend))];
}

/** The backend that reported all findings, if it is only one. */
export function onlyBackend(findings: readonly FindingView[]): Backend | undefined {
  const [first, ...others] = new Set(findings.flatMap(backendsOf));
  return others.length === 0 ? first : undefined;
}

/** `src/a.ts:3`. */
export function placeOf({ path, line }: Pick<FindingView, 'path' | 'line'>): string {
  return `${path}:${line}`;
}

/** What else to know of a finding, in a few words each. */
export function notesOf({ isLate, isPreExisting, isAnchored }: FindingView): string[] {
  return [
    ...(isLate ? ['late'] : []),
    ...(isPreExisting ? ['older than the change'] : []),
    ...(isAnchored ? [] : ['quote not found']),
  ];
}

/** How many findings there are, and how many the change cannot pass with. */
export function findingTotals(findings: readonly FindingView[]): string {
  const open = findings.filter(isOpenBlocker).length;
  const blockers = `${counted(open, 'open finding')} at or above the bar`;
  const backend = onlyBackend(findings);
  const source = backend === undefined ? '' : `, all from one backend (${backend})`;
  return `${blockers}. ${counted(findings.length, 'finding')} in total${source}.`;
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
