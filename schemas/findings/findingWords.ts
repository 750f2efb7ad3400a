import type { Backend } from '../enums.ts';
import type { FindingView } from '../rpc/views/findings.ts';
import { counted } from '../text/phrases.ts';

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

/** The place of the finding that a duplicate is about, else its id; null for another finding. */
export function originalOf({ duplicateOf }: FindingView, all: readonly FindingView[]): string | null {
  const original = all.find(({ findingId }) => findingId === duplicateOf);
  return original ? placeOf(original) : duplicateOf;
}

/** More facts about a finding, in a few words each. */
export function notesOf({ isLate, isPreExisting, isAnchored, removed }: FindingView): string[] {
  return [
    ...(isLate ? ['too late to count'] : []),
    ...(isPreExisting ? ['older than the change'] : []),
    ...(isAnchored ? [] : ['quote not found']),
    ...(removed ? [`removed line, was ${placeOf(removed)}`] : []),
  ];
}

/** The number of findings, and of those that block the change. */
export function findingTotals(findings: readonly FindingView[]): string {
  const open = findings.filter(({ isBlocker }) => isBlocker).length;
  const blockers = counted(open, 'finding blocks the change', 'findings block the change');
  return `${blockers}. ${counted(findings.length, 'finding')} in total.`;
}

/** Why a finding is in its state: what was said last about it. An accepted one was confirmed before. */
export function reasonOf({
  state,
  resolution,
  history,
}: Pick<FindingView, 'state' | 'resolution' | 'history'>): string {
  if (state === 'accepted') return history.findLast(({ what }) => what === 'accepted')?.note ?? '';
  return resolution?.reason ?? '';
}

/** The decider about a finding. */
export function deciderOf({ by, backend }: NonNullable<FindingView['resolution']>): string {
  if (by === 'votes') return 'two backends';
  if (by === 'reproduction') return 'a failing command';
  return by === 'verifier' && backend !== null ? `verifier (${backend})` : by;
}

const HISTORY: Readonly<Record<FindingView['history'][number]['what'], string>> = {
  reported: 'reported by',
  confirmed: 'confirmed by',
  rejected: 'rejected by',
  disputed: 'left open by',
  duplicate: 'called a duplicate by',
  answered: 'answered by',
  fixed: 'found fixed by',
  present: 'still seen by',
  came_back: 'reported again by',
  accepted: 'accepted by',
};

/** One step of a finding's history, and its author: `confirmed by two backends`. */
export function historyWords({ what, by }: Pick<FindingView['history'][number], 'what' | 'by'>): string {
  const who = by === 'votes' ? 'two backends' : by === 'reproduction' ? 'a failing command' : by;
  return `${HISTORY[what]} ${who}`;
}
