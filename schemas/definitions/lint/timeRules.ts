import type { Fault } from '../phase/fault.ts';
import type { Template } from '../template.ts';

const SHORTEST_MS = 10_000;
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** A time-out in seconds instead of milliseconds is a common slip. */
export function timeRules({ phases }: Template): Fault[] {
  return phases.flatMap(({ key, timeoutMs }, index): Fault[] => {
    if (timeoutMs === undefined || (timeoutMs >= SHORTEST_MS && timeoutMs <= LONGEST_MS)) return [];
    const message = `the time-out of phase ${key} is ${timeoutMs} ms, not between 10 seconds and 24 hours`;
    return [{ path: ['phases', index, 'timeoutMs'], code: 'odd_timeout', message }];
  });
}
