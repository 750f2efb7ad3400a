import type { FindingCategory } from '../../../../../schemas/enums.ts';
import { oneSpaced } from './oneSpaced.ts';
import { sharedWords } from './sharedWords.ts';

/** What a reviewer says is wrong. */
export interface Claim {
  category: FindingCategory;
  summary: string;
}

/** Two claims with so few common words are one only if these are all words of the shorter one. */
const FEW = 2;

/**
 * Whether two claims about one place are one claim. In doubt they are two: a verifier can join them, and nobody would see
 * the one that is dropped.
 */
export function isSameClaim(a: Claim, b: Claim): boolean {
  if (plain(a.summary) === plain(b.summary)) return true;
  if (a.category !== b.category || NEGATION.test(a.summary) !== NEGATION.test(b.summary)) return false;
  const [some, others] = [claimWords(a.summary), claimWords(b.summary)];
  const fewest = Math.min(some.size, others.size);
  const shared = sharedWords(some, others);
  return shared >= FEW && (shared === fewest || (shared > FEW && shared * 4 >= fewest * 3));
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
