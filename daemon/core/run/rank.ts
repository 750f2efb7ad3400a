import { isTerminal } from '../../../schemas/enums.ts';
import type { DevflowError } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Run } from './state.ts';
import { stateConflict } from './stateConflict.ts';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Room below and above. No rank ends with the first digit, so there is always a rank before it. */
const MIDDLE = 'i';
/** Digits of a time in milliseconds, until the year 5188. */
const TIME = 9;

/** The place of a run among those that wait: first come, first served, unless a person moved it. Ranks compare as texts. */
export function rankOf({ id, createdAt, rank }: Pick<Run, 'id' | 'createdAt' | 'rank'>): string {
  if (rank) return rank.rank;
  const time = Date.parse(createdAt).toString(DIGITS.length).padStart(TIME, '0');
  return `${time}${id.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}${MIDDLE}`;
}

/**
 * A rank after `before` and before `after`; null: nothing is there. After the last one it stays before the runs that start
 * later, whose ranks begin with later times.
 */
export function rankBetween(before: string | null, after: string | null): string {
  if (after === null || (before !== null && before >= after)) return `${before ?? ''}${MIDDLE}`;
  return between(before ?? '', after);
}

/** The digits of a fraction between two: `low` < result < `high`. An empty `high` is 1. */
function between(low: string, high: string): string {
  let same = 0;
  while (same < high.length && (low[same] ?? DIGITS[0]) === high[same]) same += 1;
  if (same > 0) return high.slice(0, same) + between(low.slice(same), high.slice(same));
  const from = low === '' ? 0 : DIGITS.indexOf(low.charAt(0));
  const to = high === '' ? DIGITS.length : DIGITS.indexOf(high.charAt(0));
  if (to - from > 1) return DIGITS.charAt(Math.floor((from + to) / 2));
  // Neighbours: one digit of `high` alone is below it, unless that is all of it.
  return high.length > 1 ? high.charAt(0) : DIGITS.charAt(from) + between(low.slice(1), '');
}

/** A move among the runs that wait. Without a rank it stays where it is. `release`: it waits for no other run any more. */
export type RankSignal = { type: 'rank'; rank?: string; release: boolean };

/** The event of a move; none if nothing changes. Only a run that has not begun waits. */
export function rankRun(run: Run, { rank = rankOf(run), release }: RankSignal): NewEvent[] | DevflowError {
  if (run.state !== 'created') return stateConflict(run, isTerminal(run.state) ? 'has ended' : 'has begun');
  const isReleased = run.after === null || run.rank?.isReleased === true;
  if (rank === rankOf(run) && (!release || isReleased)) return [];
  const payload = { nth: (run.rank?.nth ?? 0) + 1, rank, ...(release && !isReleased && { release: true as const }) };
  return [{ type: 'run.ranked', phaseId: null, payload }];
}
