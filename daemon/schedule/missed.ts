import type { MissedStart } from '../../schemas/enums.ts';
import { lastTime, nextTime, type Timing } from './nextTime.ts';

/** Later than this, a start was missed: the machine or devflow was off. Timers alone may be a minute late. */
const LATE_MS = 5 * 60_000;

export interface Due {
  /** The time that the start is for. */
  occurrence: Date;
  /** True: it is too late, and the person wants no start then. */
  isSkipped: boolean;
  next: Date | null;
}

/** How a time that has come is dealt with: however many were missed, the newest counts alone. */
export function dueOf(schedule: Timing & { missed: MissedStart }, nextAt: Date, now: Date): Due {
  const newest = lastTime(schedule, now);
  // With a clock that was set back since, the planned time stays the one that is due.
  const occurrence = newest !== null && newest > nextAt ? newest : nextAt;
  const isLate = now.getTime() - occurrence.getTime() > LATE_MS;
  return {
    occurrence,
    isSkipped: isLate && schedule.missed === 'skip',
    next: nextTime(schedule, occurrence > now ? occurrence : now),
  };
}
