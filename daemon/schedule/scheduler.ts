import { toErrorRecord } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { derivedId } from '../../schemas/ids.ts';
import type { Schedule, ScheduleChange, Schedules } from '../store/schedules.ts';
import { type Clock, LONGEST_PAUSE_MS } from '../system/clock.ts';
import { dueOf } from './missed.ts';
import { checkedTiming, nextTime } from './nextTime.ts';

/** A clock that was so far ahead was wrong. */
const AHEAD_MS = 24 * 60 * 60_000;

export interface Started {
  runId: string;
  warnings: readonly string[];
}

export interface SchedulerParts {
  /** The clock of this machine: its person named the times. */
  clock: Clock;
  /** Calls `act` once after so many milliseconds, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
  /** Those of this host. */
  list(): Promise<Schedule[]>;
  change: Schedules['change'];
  /** The same run id again starts nothing new. */
  start(schedule: Schedule, occurrence: Date, runId: string): Promise<Started>;
  /** The open run that the schedule started. */
  openRunOf(scheduleId: string): string | undefined;
  /** A time at which nothing was started, and nobody looked. */
  tell(schedule: Schedule, at: Date, note: string): void;
  log: { warn(facts: object, message: string): void };
}

export interface Scheduler {
  /** Looks at the schedules: at the start, and after one has changed. */
  wake(): void;
  /** Starts a run of the schedule beside its times. Throws why it does not. */
  runNow(schedule: Schedule, runId: string): Promise<Started>;
  /** Resolves once it reads nothing more. A start that goes on is repeated by the next daemon. */
  close(): Promise<void>;
}

/** Starts the runs of schedules when their times come. Between them it has one timer and reads nothing. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { clock, after, log } = parts;
  let isClosed = false;
  let cancel = () => {};
  let looking: Promise<void> = Promise.resolve();
  /** The schedules whose run is just being started. */
  const starting = new Set<string>();

  function wake(): void {
    cancel();
    looking = looking.then(look).catch((err: unknown) => {
      if (isClosed) return;
      log.warn({ err }, 'could not look at the schedules; devflow looks again in a minute');
      wakeAfter(LONGEST_PAUSE_MS);
    });
  }

  function wakeAfter(ms: number): void {
    cancel();
    cancel = after(ms, wake);
  }

  async function look(): Promise<void> {
    if (isClosed) return;
    const schedules = await parts.list();
    const next: number[] = [];
    for (const each of schedules) {
      if (each.paused || starting.has(each.id)) continue;
      const planned = await plan(each);
      if (planned?.nextAt == null) continue;
      const now = clock.now();
      if (planned.nextAt > now) next.push(planned.nextAt.getTime());
      // A start can take minutes, and the others must not wait for it.
      else void inStart(planned.id, () => fire(planned, planned.nextAt as Date, now)).then(wake, failed(planned));
    }
    if (next.length > 0 && !isClosed) sleepUntil(Math.min(...next), clock.now().getTime());
  }

  /** A timer stands still with a suspended machine and ignores a set clock, so a long sleep takes several. */
  function sleepUntil(at: number, latest: number): void {
    const now = clock.now().getTime();
    // Set back by days, the clock was wrong when it gave the times.
    cancel();
    if (now >= at || now < latest - AHEAD_MS) wake();
    else cancel = after(Math.min(at - now, LONGEST_PAUSE_MS), () => sleepUntil(at, Math.max(now, latest)));
  }

  /** The schedule with a time that holds now; undefined if it has none. */
  async function plan(schedule: Schedule): Promise<Schedule | undefined> {
    const now = clock.now();
    try {
      checkedTiming(schedule, now);
    } catch (error) {
      const note = `Paused, because its times cannot be told. ${toErrorRecord(error).message}`;
      await parts.change(schedule.id, { paused: true, nextAt: null, lastNote: note });
      parts.tell(schedule, now, note);
      return undefined;
    }
    const computedAt = schedule.updatedAt ?? schedule.createdAt;
    if (computedAt.getTime() <= now.getTime() + AHEAD_MS) return schedule;
    return parts.change(schedule.id, { nextAt: nextTime(schedule, now), updatedAt: now });
  }

  async function fire(schedule: Schedule, nextAt: Date, now: Date): Promise<void> {
    const { occurrence, isSkipped, next } = dueOf(schedule, nextAt, now);
    const runId = derivedId('schedule', schedule.id, occurrence.toISOString());
    const note = (change: ScheduleChange) =>
      parts.change(schedule.id, { nextAt: next, lastAt: occurrence, updatedAt: now, lastNote: null, ...change });
    const skip = async (lastNote: string, more: ScheduleChange = {}) => {
      await note({ lastNote, ...more });
      parts.tell(schedule, occurrence, lastNote);
    };
    if (isSkipped) {
      await note({ lastNote: 'Skipped, because it was missed: devflow did not run then.' });
      return;
    }
    const open = parts.openRunOf(schedule.id);
    // Its own run is open if the daemon ended between the start and this note of it.
    if (open !== undefined && open !== runId)
      return skip(`Skipped, because run ${open} is still open.`, { lastRunId: open });
    try {
      const { warnings } = await parts.start(schedule, occurrence, runId);
      await note({ lastRunId: runId, lastNote: warnings.join(' ') || null });
    } catch (error) {
      await skip(`Not started. ${sentence(error)}`);
    }
  }

  /** One start of a schedule at a time. */
  async function inStart<T>(id: string, start: () => Promise<T>): Promise<T> {
    starting.add(id);
    try {
      return await start();
    } finally {
      starting.delete(id);
    }
  }

  /** The row is as before, so the next look repeats the start: the run has the same id. */
  const failed =
    ({ id }: Schedule) =>
    (err: unknown) => {
      if (isClosed) return;
      log.warn({ err, schedule: id }, 'could not note what became of a schedule; devflow tries again in a minute');
      wakeAfter(LONGEST_PAUSE_MS);
    };

  return {
    wake,
    async runNow(schedule, runId) {
      const open = parts.openRunOf(schedule.id);
      if (starting.has(schedule.id)) throw conflict(schedule, 'is just being started');
      if (open !== undefined && open !== runId) throw conflict(schedule, `has an open run, ${open}`);
      try {
        return await inStart(schedule.id, async () => {
          const now = clock.now();
          const started = await parts.start(schedule, now, runId);
          await parts.change(schedule.id, {
            lastAt: now,
            lastRunId: runId,
            lastNote: started.warnings.join(' ') || null,
          });
          return started;
        });
      } finally {
        // One of its times may have come meanwhile.
        wake();
      }
    },
    close() {
      isClosed = true;
      cancel();
      return looking;
    },
  };
}

function conflict({ id }: Schedule, why: string): DevflowError {
  return new DevflowError('state_conflict', `The schedule ${id} ${why}, and it never has two runs at a time.`, {
    recoveryHint: 'Wait until its run has ended, or abort that run.',
  });
}

function sentence(error: unknown): string {
  const { message, hint } = toErrorRecord(error);
  return [message, hint].filter(Boolean).join(' ');
}
