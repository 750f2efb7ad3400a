import { afterEach, expect, test } from 'vitest';
import { createScheduler, type Scheduler, type SchedulerParts } from '../../../daemon/schedule/scheduler.ts';
import type { Schedule } from '../../../daemon/store/schedules.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { handTimers } from '../../helpers/handTimers.ts';
import { givenSchedule, scheduleRows } from './givenSchedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let scheduler: Scheduler;
afterEach(() => scheduler.close());

/** A daemon's part for schedules: `set` moves the clock of the machine, which its timers do not follow. */
function given(schedules: Schedule[], over: Partial<SchedulerParts> = {}) {
  const timers = handTimers();
  const rows = scheduleRows(...schedules);
  const starts: string[] = [];
  const told: string[] = [];
  const open = new Set<string>();
  const faults: string[] = [];
  let offset = 0;
  const boot = (more: Partial<SchedulerParts> = {}) => {
    scheduler = createScheduler({
      ...{
        clock: { now: () => new Date(timers.now() + offset) },
        after: timers.after,
        list: rows.list,
        change: rows.change,
      },
      start: async (_, occurrence, runId) => {
        if (!open.has(runId)) starts.push(occurrence.toISOString().slice(0, 16));
        open.add(runId);
        return { runId, warnings: [] };
      },
      openRunOf: () => [...open][0],
      tell: (_, __, note) => told.push(note),
      log: { warn: (_, message) => faults.push(message) },
      ...over,
      ...more,
    });
    scheduler.wake();
    return scheduler;
  };
  boot();
  return { timers, rows, starts, told, open, faults, boot, set: (ms: number) => (offset += ms) };
}

const idOf = (time: string, { id } = givenSchedule()) => derivedId('schedule', id, new Date(time).toISOString());

test('starts a run at each of its times, under an id of the time', async () => {
  const { timers, rows, starts, open } = given([givenSchedule()]);
  await timers.advance(6 * HOUR - 1);
  expect(starts).toEqual([]);
  await timers.advance(1);
  expect(starts).toEqual(['2026-01-01T06:00']);
  expect([...open]).toEqual([idOf('2026-01-01T06:00Z')]);
  expect(rows.row()).toMatchObject({ lastRunId: idOf('2026-01-01T06:00Z'), lastNote: null });
  expect(rows.row().nextAt).toEqual(new Date('2026-01-02T06:00Z'));
  open.clear();
  await timers.advance(DAY);
  expect(starts).toEqual(['2026-01-01T06:00', '2026-01-02T06:00']);
});

test('reads nothing between two times, and has no timer without a schedule', async () => {
  const { timers, rows, boot } = given([givenSchedule()]);
  await timers.advance(5 * HOUR);
  expect(rows.reads()).toBe(1);
  expect(timers.pending()).toBe(1);
  await rows.change(rows.row().id, { paused: true });
  scheduler.wake();
  await timers.advance();
  expect(timers.pending()).toBe(0);
  await boot({ list: async () => [] }).close();
  await timers.advance(DAY);
  expect(timers.pending()).toBe(0);
});

test('starts the first of several at its own time, however late it was added', async () => {
  const { timers, rows, starts, open } = given([givenSchedule()]);
  await timers.advance(HOUR);
  rows.put(givenSchedule({ id: 'other', expression: '0 3 * * *', nextAt: new Date('2026-01-01T03:00Z') }));
  scheduler.wake();
  await timers.advance(2 * HOUR);
  open.clear();
  await timers.advance(3 * HOUR);
  expect(starts).toEqual(['2026-01-01T03:00', '2026-01-01T06:00']);
});

test.each([
  ['an hour ahead', [HOUR], ['2026-01-01T06:00', '2026-01-02T06:00']],
  ['an hour behind', [-HOUR], ['2026-01-01T06:00', '2026-01-02T06:00']],
  ['a year ahead and back', [365 * DAY, -365 * DAY], ['2026-12-31T06:00', '2027-01-01T06:00', '2026-01-02T06:00']],
  ['a week ahead and back', [7 * DAY, -7 * DAY], ['2026-01-07T06:00', '2026-01-08T06:00', '2026-01-02T06:00']],
])('goes by the clock of the machine, and repeats no time: set %s', async (_, sets, expected) => {
  const { timers, starts, open, set } = given([givenSchedule()]);
  const next = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      open.clear();
      await timers.advance(HOUR);
    }
  };
  await next(4);
  for (const ms of sets) {
    set(ms);
    await next(7);
  }
  await next(24);
  expect(starts).toEqual(expected);
});

test('is at most a minute late after the machine slept', async () => {
  const { timers, starts, set } = given([givenSchedule()]);
  await timers.advance(HOUR);
  set(5 * HOUR);
  await timers.advance(MINUTE);
  expect(starts).toEqual(['2026-01-01T06:00']);
});

test.each([
  ['once', ['2026-01-07T06:00'], null],
  ['skip', [], 'Skipped, because it was missed: devflow did not run then.'],
] as const)('after a week off, by the person’s wish: %s', async (missed, expected, note) => {
  const { timers, rows, starts, told } = given([givenSchedule({ missed, paused: true })]);
  await timers.advance(7 * DAY);
  await rows.change(rows.row().id, { paused: false });
  scheduler.wake();
  await timers.advance();
  expect(starts).toEqual(expected);
  expect(rows.row()).toMatchObject({ lastNote: note, nextAt: new Date('2026-01-08T06:00Z') });
  expect(told).toEqual([]);
});

test('never has two runs at a time: skips the times while one is open', async () => {
  const { timers, rows, starts, told, open } = given([givenSchedule({ expression: '0 * * * *' })]);
  await timers.advance(8 * HOUR);
  const [first] = open;
  expect(starts).toEqual(['2026-01-01T06:00']);
  expect(rows.row()).toMatchObject({ lastRunId: first, lastNote: `Skipped, because run ${first} is still open.` });
  expect(told).toHaveLength(2);
  open.clear();
  await timers.advance(HOUR);
  expect(starts).toEqual(['2026-01-01T06:00', '2026-01-01T09:00']);
});

test('goes on with others while one start takes long, and starts none twice', async () => {
  let end = () => {};
  const long = new Promise<void>((resolve) => {
    end = resolve;
  });
  const starts: string[] = [];
  const { timers } = given(
    [givenSchedule({ expression: '* * * * *' }), givenSchedule({ id: 'other', expression: '30 6 * * *' })],
    {
      openRunOf: () => undefined,
      start: async ({ id }, _, runId) => {
        starts.push(id);
        if (id !== 'other') await long;
        return { runId, warnings: [] };
      },
    },
  );
  await timers.advance(6 * HOUR + 10 * MINUTE);
  expect(starts).toEqual(['other', givenSchedule().id].toReversed());
  end();
  await timers.advance(MINUTE);
  expect(starts).toHaveLength(4);
});

test('repeats a start under the same id if the daemon ended before the row was written', async () => {
  const { timers, rows, starts, open, faults, boot } = given([givenSchedule()], {
    change: () => Promise.reject(new Error('killed')),
  });
  await timers.advance(6 * HOUR);
  expect(rows.row().lastRunId).toBeNull();
  expect(faults).toHaveLength(1);
  await scheduler.close();
  boot({ change: rows.change });
  await timers.advance(HOUR);
  expect(starts).toEqual(['2026-01-01T06:00']);
  expect([...open]).toEqual([rows.row().lastRunId]);
});

test('keeps the run of a start that was not written, although the next time came before the daemon', async () => {
  const { timers, rows, starts, open, boot } = given([givenSchedule()], {
    change: () => Promise.reject(new Error('killed')),
  });
  await timers.advance(6 * HOUR);
  await scheduler.close();
  await timers.advance(DAY);
  boot({ change: rows.change });
  await timers.advance();
  expect(starts).toEqual(['2026-01-01T06:00']);
  expect(rows.row().lastRunId).toBe([...open][0]);
});

test('notes and tells why a start is refused, and waits for the next time', async () => {
  let refusals = 0;
  const { timers, rows, told } = given([givenSchedule()], {
    start: async () => {
      refusals += 1;
      throw new DevflowError('repo_invalid', 'There is no repository.', { recoveryHint: 'Clone it.' });
    },
  });
  await timers.advance(7 * HOUR);
  expect(refusals).toBe(1);
  expect(told).toEqual(['Not started. There is no repository. Clone it.']);
  expect(rows.row()).toMatchObject({ lastNote: told[0], lastRunId: null, nextAt: new Date('2026-01-02T06:00Z') });
  await timers.advance(DAY);
  expect(refusals).toBe(2);
});

test('notes what a run does without', async () => {
  const { timers, rows } = given([givenSchedule()], {
    start: async (_, __, runId) => ({
      runId,
      warnings: ['Nobody allowed its checks.', 'Run devflow repository allow.'],
    }),
  });
  await timers.advance(6 * HOUR);
  expect(rows.row().lastNote).toBe('Nobody allowed its checks. Run devflow repository allow.');
});

test('pauses a schedule whose zone this machine does not know any more', async () => {
  const { timers, rows, starts, told } = given([
    givenSchedule({ zone: 'Mars/Base' }),
    givenSchedule({ id: 'other', expression: '0 7 * * *' }),
  ]);
  await timers.advance(6 * HOUR);
  expect(rows.row()).toMatchObject({ paused: true, nextAt: null });
  expect(rows.row().lastNote).toMatch(/^Paused, because its times cannot be told. There is no time zone "Mars\/Base"/);
  expect(told).toHaveLength(1);
  expect(starts).toEqual(['2026-01-01T06:00']);
});

test('looks again a minute after the database did not answer', async () => {
  let isAway = true;
  const { timers, rows, starts, faults } = given([givenSchedule()], {
    list: () => (isAway ? Promise.reject(new Error('away')) : rows.list()),
  });
  await timers.advance(6 * HOUR);
  isAway = false;
  await timers.advance(MINUTE);
  expect(faults.length).toBeGreaterThan(1);
  expect(starts).toEqual(['2026-01-01T06:00']);
});

test('starts a run now, beside its times, and not while another is open', async () => {
  const { timers, rows, starts, open } = given([givenSchedule()]);
  await timers.advance(HOUR);
  await scheduler.runNow(rows.row(), 'mine');
  expect(starts).toEqual(['2026-01-01T01:00']);
  expect(rows.row()).toMatchObject({ lastRunId: 'mine', nextAt: new Date('2026-01-01T06:00Z') });
  await expect(scheduler.runNow(rows.row(), 'another')).rejects.toThrow(/has an open run, mine/);
  await expect(scheduler.runNow(rows.row(), 'mine')).resolves.toMatchObject({ runId: 'mine' });
  open.clear();
  await timers.advance(5 * HOUR);
  expect(starts).toEqual(['2026-01-01T01:00', '2026-01-01T06:00']);
});

test('does not miss a time that comes while a person’s start fails', async () => {
  let fail = (_: Error) => {};
  const started: string[] = [];
  const { timers, rows } = given([givenSchedule()], {
    start: async (_, __, runId) => {
      started.push(runId);
      if (runId === 'mine')
        await new Promise((_, reject) => {
          fail = reject;
        });
      return { runId, warnings: [] };
    },
  });
  await timers.advance(6 * HOUR - 1);
  const mine = scheduler.runNow(rows.row(), 'mine');
  scheduler.wake();
  await timers.advance(1);
  fail(new Error('refused'));
  await expect(mine).rejects.toThrow('refused');
  await timers.advance();
  expect(started).toEqual(['mine', idOf('2026-01-01T06:00Z')]);
});
