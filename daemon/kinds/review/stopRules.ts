import type { FindingSeverity } from '../../../schemas/enums.ts';
import { severityWeight } from '../../../schemas/findings/severity.ts';
import { someOf } from '../../../schemas/text/phrases.ts';

/** A look that a fix followed or is to follow. */
export interface RoundFacts {
  /** The severities of what must be fixed, red checks included. */
  blockers: readonly FindingSeverity[];
  /** New blockers in lines that the fix before this look changed. */
  newOnFix: number;
  newBlockers: number;
  /** The places of fixed findings that are there again. */
  cameBack: readonly string[];
  /** True if the fix before this look changed a file; null if there was none. */
  fixChangedTree: boolean | null;
}

/**
 * Why a person must decide instead of another fix; null if another fix may help. The rounds are the oldest first. Code
 * decides this, because agents judge their own progress too well.
 */
export function whyAsk(rounds: readonly RoundFacts[], limit: number): string | null {
  const last = rounds.at(-1);
  if (!last || last.blockers.length === 0) return null;
  if (last.cameBack.length > 0) return cameBackText(last.cameBack);
  if (last.fixChangedTree === false) return 'The last fix changed no file.';
  if (rounds.length >= 2 && rounds.slice(-2).every(isMostlyOnFix)) {
    return 'Two fixes in a row caused most of the new findings.';
  }
  const [first, second, third] = rounds.slice(-3).map(weightOf);
  if (first !== undefined && second !== undefined && third !== undefined && second >= first && third >= second) {
    return 'The open findings became neither fewer nor less severe in two rounds.';
  }
  if (rounds.length < limit) return null;
  return `${used(rounds.length)}, and something must still be fixed.`;
}

function isMostlyOnFix({ newOnFix, newBlockers }: RoundFacts): boolean {
  return newOnFix >= 1 && newOnFix * 2 > newBlockers;
}

function weightOf({ blockers }: RoundFacts): number {
  return blockers.reduce((sum, severity) => sum + severityWeight(severity), 0);
}

function cameBackText(places: readonly string[]): string {
  const named = someOf(places);
  return places.length === 1
    ? `A fixed finding came back: ${named}.`
    : `${places.length} fixed findings came back: ${named}.`;
}

function used(rounds: number): string {
  return rounds === 1 ? 'The only round is used up' : `All ${rounds} rounds are used up`;
}
