import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSchedules, type NewSchedule } from '../../../daemon/store/schedules.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();
const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
const given = (over: Partial<NewSchedule> = {}): NewSchedule => ({
  id: randomUUID(),
  host: null,
  title: null,
  expression: '0 6 * * *',
  zone: 'Europe/Berlin',
  repoPath: '/repo',
  request: { requirements: 'Say "what".\n', bind: {}, backend: { coder: 'codex' }, settings: true, parallel: false },
  missed: 'once',
  nextAt: at(5),
  updatedAt: at(0),
  ...over,
});

test('keeps a schedule as it was given, and takes the same one once', async () => {
  const schedules = createSchedules(database().pool);
  const one = given();
  const added = await schedules.add(one);
  expect(added).toMatchObject({ ...one, paused: false, lastAt: null, lastRunId: null, lastNote: null });
  expect(await schedules.add({ ...one, expression: '@daily' })).toEqual(added);
  expect(await schedules.read(one.id)).toEqual(added);
});

test('changes what is named alone, also to nothing', async () => {
  const schedules = createSchedules(database().pool);
  const { id, nextAt } = await schedules.add(given());
  const runId = randomUUID();
  expect(await schedules.change(id, { lastAt: at(5), lastRunId: runId, lastNote: 'x' })).toMatchObject({ nextAt });
  const paused = { paused: true, nextAt: null, lastNote: null };
  expect(await schedules.change(id, paused)).toMatchObject({ ...paused, lastAt: at(5), lastRunId: runId });
  expect(await schedules.change(randomUUID(), paused)).toBeUndefined();
});

test('lists those of a host, and those without one for the host that led alone', async () => {
  const schedules = createSchedules(database().pool);
  const [near, far, unpinned] = [given({ host: 'near' }), given({ host: 'far' }), given()];
  for (const each of [near, far, unpinned]) await schedules.add(each);
  const ids = async (of?: { host: string; isUnpinned: boolean }) =>
    new Set((await schedules.list(of)).map(({ id }) => id));
  expect(await ids({ host: 'near', isUnpinned: false })).toEqual(new Set([near.id]));
  expect((await ids({ host: 'far', isUnpinned: true })).has(unpinned.id)).toBe(true);
  await schedules.remove(near.id);
  expect((await ids()).has(near.id)).toBe(false);
  expect((await ids()).has(far.id)).toBe(true);
});
