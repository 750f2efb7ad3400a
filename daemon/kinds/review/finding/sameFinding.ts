import type { FindingCategory, FindingSeverity } from '../../../../schemas/enums.ts';
import { severityWeight } from '../../../../schemas/findings/severity.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import type { Anchor } from '../../../../schemas/place/place.ts';
import { oneSpaced } from '../../../../schemas/text/phrases.ts';
import { type ClaimFacts, isSameClaim } from './sameClaim.ts';
import { sharedWords, wordsOf } from './sharedWords.ts';

const NEAR = 3;

/** A finding as a reviewer reports it. */
export interface Described {
  path: string;
  /** The line that the reviewer claims; its anchor knows better. */
  line: number;
  symbol: string | null;
  category: FindingCategory;
  severity: FindingSeverity;
  summary: string;
  quote: string;
  anchor: Anchor | null;
}

/** A finding of an earlier batch. Path and line are those of the commit that is reviewed now. */
export interface Known extends Described {
  id: string;
}

/**
 * The known finding that each finding of a batch is; null for a new one. Two findings match if they point at the same text
 * within three lines. With `claims` they must claim the same, too. Two findings of one batch never match: a line may have
 * two defects. If several match one known finding, the likeliest gets it.
 */
export function matchBatch(
  known: readonly Known[],
  batch: readonly Described[],
  { claims }: { claims: boolean },
): (string | null)[] {
  const findKnown = indexKnown(known);
  const words: Words = new Map();
  const facts: ClaimFacts = new Map();
  const pairs = batch.flatMap((found, index) => {
    const same = findKnown(found).filter((old) => !claims || isSameClaim(old, found, facts));
    return same.map((old) => pairOf(old, found, index, words));
  });
  pairs.sort(likelierFirst);
  const matched: (string | null)[] = batch.map(() => null);
  const taken = new Set<string>();
  for (const { id, index } of pairs) {
    if (matched[index] !== null || taken.has(id)) continue;
    matched[index] = id;
    taken.add(id);
  }
  return matched;
}

function indexKnown(known: readonly Known[]): (found: Described) => Known[] {
  const byAnchor = Map.groupBy(known, ({ path, anchor }) => (anchor ? `${path}\0${anchor.text}` : null));
  const byQuote = Map.groupBy(known, quoteKey);
  return (found) => {
    const { path, anchor } = found;
    const quoted = quoteKey(found) === null ? [] : (byQuote.get(quoteKey(found)) ?? []);
    // A fix just below the quote changes the text from there on, but not the quote.
    const same = new Set([...(anchor ? (byAnchor.get(`${path}\0${anchor.text}`) ?? []) : []), ...quoted]);
    return [...same].filter((old) => distance(old, found) <= NEAR);
  };
}

/** True if two findings point at one text, whatever they claim. Their lines are those of one commit. */
export function isSamePlace(a: Known, b: Known): boolean {
  if (a.path !== b.path || Math.abs(a.line - b.line) > NEAR) return false;
  const isSameText = a.anchor !== null && a.anchor.text === b.anchor?.text;
  return isSameText || (quoteKey(a) !== null && quoteKey(a) === quoteKey(b));
}

/** A blank quote points at nothing. */
export function quoteKey({ path, quote }: Pick<Described, 'path' | 'quote'>): string | null {
  const text = oneSpaced(quote);
  return text === '' ? null : `${path}\0${text}`;
}

function distance(old: Known, { line, anchor }: Described): number {
  return Math.abs(old.line - (anchor?.line ?? line));
}

/** The differences between a known finding and the finding `index` of a batch, the most telling one first. */
function pairOf(old: Known, found: Described, index: number, words: Words) {
  const unlikeness = [
    distance(old, found),
    old.category === found.category ? 0 : 1,
    old.symbol === found.symbol ? 0 : 1,
    -sharedWords(summaryWords(old, words), summaryWords(found, words)),
    Math.abs(severityWeight(old.severity) - severityWeight(found.severity)),
  ];
  return { id: old.id, index, unlikeness };
}

/** The words of the summaries so far: a finding may be in many pairs. */
type Words = Map<Described, ReadonlySet<string>>;

function summaryWords(finding: Described, words: Words): ReadonlySet<string> {
  const all = words.get(finding) ?? wordsOf(finding.summary);
  words.set(finding, all);
  return all;
}

/** Pairs that are equally likely stay in their order. */
function likelierFirst(a: { unlikeness: number[] }, b: { unlikeness: number[] }): number {
  const step = a.unlikeness.findIndex((value, at) => value !== b.unlikeness[at]);
  return step < 0 ? 0 : (a.unlikeness[step] as number) - (b.unlikeness[step] as number);
}

/** The place of a finding when it is first reported. */
export type FirstSight = Pick<Described, 'path' | 'anchor' | 'quote' | 'symbol'>;

/** The id of a new finding. `nth` counts the earlier findings that point at the same, as two defects on one line do. */
export function newFindingId(runId: string, phaseKey: string, first: FirstSight, nth: number): string {
  return derivedId('finding', runId, phaseKey, ...targetOf(first), nth);
}

/**
 * Gives new defects ids that are the same in each run that finds them. An id differs from those in `taken`, because one place
 * can have two defects, and is taken from then on.
 */
export function createIdentities(taken: Set<string>): (first: FirstSight) => string {
  const counts = new Map<string, number>();
  return (first) => {
    const target = targetOf(first);
    const key = target.join('\0');
    for (let nth = (counts.get(key) ?? 0) + 1; ; nth++) {
      const id = derivedId('identity', ...target, nth);
      if (taken.has(id)) continue;
      counts.set(key, nth);
      taken.add(id);
      return id;
    }
  };
}

function targetOf({ path, anchor, quote, symbol }: FirstSight): (string | number)[] {
  const target = anchor ? ['anchor', anchor.text, anchor.occurrence] : ['quote', oneSpaced(quote), 0];
  return [path, ...target, symbol ?? ''];
}
