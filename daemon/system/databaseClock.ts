import { steadyNow } from '../../schemas/time/steadyTime.ts';
import { type Clock, systemClock } from './clock.ts';

/** The database's time. All hosts share it, although the clocks of their machines differ. */
export interface DatabaseClock extends Clock {
  /** Takes an answer of the database: its time in ms, and when it was asked, by the steady clock. */
  heard(databaseMs: number, askedAt: number): void;
  /** The lead of the machine's clock at the last answer, in ms; null before the first answer. */
  skewMs(): number | null;
}

/**
 * Before the first answer it is the machine's clock. The database read its clock between question and answer, so each answer
 * gives bounds. The time moves only to stay within them. It starts at the lower one, so no stamp lies in the database's future.
 */
export function createDatabaseClock(machine: Clock = systemClock, steady: () => number = steadyNow): DatabaseClock {
  /** The database's time less the steady time. */
  let offset: number | undefined;
  let skew: number | null = null;
  return {
    now: () => (offset === undefined ? machine.now() : new Date(offset + steady())),
    heard(databaseMs, askedAt) {
      const answeredAt = steady();
      const [lowest, highest] = [databaseMs - answeredAt, databaseMs - askedAt];
      offset = Math.min(highest, Math.max(lowest, offset ?? lowest));
      skew = Math.round(machine.now().getTime() - databaseMs - (answeredAt - askedAt) / 2);
    },
    skewMs: () => skew,
  };
}
