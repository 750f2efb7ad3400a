import type { FindingSeverity } from '../../../../schemas/enums.ts';
import { severityWeight } from './finding/votes.ts';

/** A look that a fix followed or is to follow. */
export interface RoundFacts {
  round: number;
  /** Confirmed findings that are to be fixed. */
  blockers: readonly { findingId: string; severity: FindingSeverity }[];
  /** New blockers in lines that the fix before this look changed. */
  newOnFix: number;
  newBlockers: number;
  /** Fixed findings that are there again. */
  cameBack: readonly string[];
  /** Whether the fix before this look changed a file; null if there was none. */
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
    return 'In two successive rounds, most new findings are in lines that the fix before had changed.';
  }
  const [first, second, third] = rounds.slice(-3).map(weightOf);
  if (first !== undefined && second !== undefined && third !== undefined && second >= first && third >= second) {
    return `The weight of the open findings has not fallen in two successive rounds (${first}, ${second}, ${third}).`;
  }
  if (rounds.length < limit) return null;
  return `${used(rounds.length)}, and ${count(last.blockers.length, 'finding')} must still be fixed.`;
}

function isMostlyOnFix({ newOnFix, newBlockers }: RoundFacts): boolean {
  return newOnFix >= 1 && newOnFix * 2 > newBlockers;
}

function weightOf({ blockers }: RoundFacts): number {
  return blockers.reduce((sum, { severity }) => sum + severityWeight(severity), 0);
}

function cameBackText(ids: readonly string[]): string {
  const named = ids.map((id) => id.slice(0, 8)).join(', ');
  return ids.length === 1
    ? `A fixed finding came back: ${named}.`
    : `${ids.length} fixed findings came back: ${named}.`;
}

function used(rounds: number): string {
  return rounds === 1 ? 'The only round is used up' : `All ${rounds} rounds are used up`;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
