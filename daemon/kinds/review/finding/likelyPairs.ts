import { isSamePlace, type Known, quoteKey } from './sameFinding.ts';
import { sharedWords, wordsOf } from './sharedWords.ts';

const MOST_PAIRS = 200;
const NEAR = 10;
const LEAST_SHARED_WORDS = 2;
/** More than any other likeness. */
const SAME_PLACE = 100;
/** Compares a finding only with so many that follow, so that a thousand findings on one symbol take no second. */
const AHEAD = 8;

interface Entry {
  order: number;
  finding: Known;
  words: ReadonlySet<string>;
}

/**
 * Pairs of findings that may be about one defect, as hints for the verifier, the likeliest first. They have the same symbol, or
 * are near each other and share two words. With `samePlace`, findings that point at one text count, too.
 */
export function likelyPairs(findings: readonly Known[], { samePlace }: { samePlace: boolean }): [string, string][] {
  const entries = findings.map((finding, order): Entry => ({ order, finding, words: wordsOf(finding.summary) }));
  entries.sort(byPlace);
  const bySymbol = Map.groupBy(entries, ({ finding }) => finding.symbol);
  bySymbol.delete(null);
  const byPath = Map.groupBy(
    entries.filter(({ finding }) => finding.anchor !== null),
    ({ finding }) => finding.path,
  );
  const byText = samePlace ? groupsByText(entries) : [];
  const pairs = new Map<string, { a: Entry; b: Entry; likeness: number }>();
  for (const group of [...bySymbol.values(), ...byPath.values(), ...byText]) {
    for (const [at, one] of group.entries()) {
      for (const other of group.slice(at + 1, at + 1 + AHEAD)) {
        const [a, b] = one.order < other.order ? [one, other] : [other, one];
        const isOne = samePlace && isSamePlace(a.finding, b.finding);
        const likeness = likenessOf(a, b) + (isOne ? SAME_PLACE : 0);
        if (likeness > 0) pairs.set(`${a.order} ${b.order}`, { a, b, likeness });
      }
    }
  }
  return [...pairs.values()]
    .sort((x, y) => y.likeness - x.likeness || x.a.order - y.a.order || x.b.order - y.b.order)
    .slice(0, MOST_PAIRS)
    .map(({ a, b }) => [a.finding.id, b.finding.id]);
}

/** Groups the findings that point at the same text of a file, and those with the same quote. */
function groupsByText(entries: readonly Entry[]): Entry[][] {
  const byAnchor = Map.groupBy(entries, ({ finding: { path, anchor } }) => anchor && `${path}\0${anchor.text}`);
  const byQuote = Map.groupBy(entries, ({ finding }) => quoteKey(finding));
  byAnchor.delete(null);
  byQuote.delete(null);
  return [...byAnchor.values(), ...byQuote.values()];
}

/** 0 if nothing suggests that the two are one. */
function likenessOf({ finding: a, words }: Entry, { finding: b, words: others }: Entry): number {
  const shared = sharedWords(words, others);
  const hasSymbol = a.symbol !== null && a.symbol === b.symbol;
  const isNear = a.anchor !== null && b.anchor !== null && a.path === b.path && Math.abs(a.line - b.line) <= NEAR;
  if (!hasSymbol && !(isNear && shared >= LEAST_SHARED_WORDS)) return 0;
  return 1 + shared + (hasSymbol ? LEAST_SHARED_WORDS : 0) + (isNear ? LEAST_SHARED_WORDS : 0);
}

function byPlace({ finding: a, order }: Entry, { finding: b, order: other }: Entry): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || order - other;
}
