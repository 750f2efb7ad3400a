import { setImmediate as turn } from 'node:timers/promises';
import type { Timers } from '../../tui/system/timers.ts';

/** A clock that moves only when the test moves it. */
export interface HandTimers extends Timers {
  /** Advances the clock and calls due timers in order. Without a time, it only lets promises settle. */
  advance(ms?: number): Promise<void>;
  /** Calls all waiting timers at once. */
  runAll(): void;
  pending(): number;
}

export function handTimers(): HandTimers {
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  let waiting: { at: number; act: () => void }[] = [];
  const take = (until: number) => {
    const [next] = waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    if (next) {
      waiting = waiting.filter((each) => each !== next);
      now = Math.max(now, next.at);
    }
    return next;
  };
  return {
    now: () => now,
    after(ms, act) {
      const each = { at: now + Math.max(0, ms), act };
      waiting.push(each);
      return () => {
        waiting = waiting.filter((other) => other !== each);
      };
    },
    async advance(ms = 0) {
      const end = now + ms;
      await turn();
      for (let next = take(end); next; next = take(end)) {
        next.act();
        await turn();
      }
      now = end;
    },
    runAll() {
      for (let next = take(Number.POSITIVE_INFINITY); next; next = take(Number.POSITIVE_INFINITY)) next.act();
    },
    pending: () => waiting.length,
  };
}
