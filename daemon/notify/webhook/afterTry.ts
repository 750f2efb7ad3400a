import { backoffMs } from '../../../schemas/time/steadyTime.ts';
import type { Delivered } from './deliver.ts';

/** Older news is no news. */
export const LONGEST_AGE_MS = 24 * 60 * 60 * 1000;
export const LONGEST_WAIT_MS = 5 * 60 * 1000;
const FIRST_WAIT_MS = 1000;
const MOST_REFUSALS = 3;

export type AfterTry = { is: 'done' } | { is: 'givenUp' } | { is: 'again'; inMs: number };

/** What follows a try. `tries` counts those of this news, `failures` those in a row of all news; both with this one. */
export function afterTry(
  delivered: Delivered,
  { tries, failures, ageMs }: { tries: number; failures: number; ageMs: number },
): AfterTry {
  if (delivered.is === 'taken') return { is: 'done' };
  if (delivered.is === 'refused' && tries >= MOST_REFUSALS) return { is: 'givenUp' };
  if (ageMs >= LONGEST_AGE_MS) return { is: 'givenUp' };
  const before = Math.max(tries, failures) - 1;
  return { is: 'again', inMs: backoffMs(before, { firstMs: FIRST_WAIT_MS, longestMs: LONGEST_WAIT_MS }) };
}
