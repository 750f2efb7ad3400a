import type { FindingCategory } from '../../../../schemas/enums.ts';
import { oneSpaced } from '../../../../schemas/text/phrases.ts';
import { sharedWords } from './sharedWords.ts';

/** A defect, in the words of a reviewer. */
export interface Claim {
  category: FindingCategory;
  summary: string;
}

/** Two claims with so few common words are one only if these are all words of the shorter one. */
const FEW = 2;

/** The parts that distinguish claims. */
interface Facts {
  plain: string;
  isNegated: boolean;
  words: ReadonlySet<string>;
}

/** A cache: each claim may be compared with very many. */
export type ClaimFacts = Map<Claim, Facts>;

/**
 * True if two claims about one place are one claim. In doubt they are two: a verifier can join them, and nobody would
 * see the one that is dropped.
 */
export function isSameClaim(a: Claim, b: Claim, known: ClaimFacts = new Map()): boolean {
  const [one, other] = [factsOf(a, known), factsOf(b, known)];
  if (one.plain === other.plain) return true;
  if (a.category !== b.category || one.isNegated !== other.isNegated) return false;
  const fewest = Math.min(one.words.size, other.words.size);
  const shared = sharedWords(one.words, other.words);
  return shared >= FEW && (shared === fewest || (shared > FEW && shared * 4 >= fewest * 3));
}

function factsOf(claim: Claim, known: ClaimFacts): Facts {
  const before = known.get(claim);
  if (before) return before;
  const { summary } = claim;
  const facts = { plain: plain(summary), isNegated: NEGATION.test(summary), words: claimWords(summary) };
  known.set(claim, facts);
  return facts;
}

function plain(summary: string): string {
  return oneSpaced(summary).toLowerCase().replace(/\.$/, '');
}

/** "Is closed twice" and "is never closed" have the same words. */
const NEGATION = /\b(?:not|no|never|none|nothing|cannot|without)\b|n't\b/i;

/** Words of any sentence. */
const COMMON = new Set(
  'this that these those with without when while from into then than does have where which what will would should could there their they been being because also only just never always cannot must'.split(
    ' ',
  ),
);

/** The words that tell a claim from another, without their endings, and its numbers. */
function claimWords(summary: string): ReadonlySet<string> {
  const words = summary.toLowerCase().match(/\p{N}+|[\p{L}\p{N}_]{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map(stemOf));
}

/** "Names" and "name", "accepted" and "accepts" are one word. */
function stemOf(word: string): string {
  return word.replace(/(?<=.{4})ing$|(?<=.{3})(?:es|ed|e|(?<!s)s)$/, '');
}
