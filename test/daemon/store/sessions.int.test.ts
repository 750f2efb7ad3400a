import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lanes, runPhases, runs } from '../../../daemon/db/schema/index.ts';
import { createLists } from '../../../daemon/store/lists.ts';
import { listOpenSessions, listSessions, readSession, saveAttachment } from '../../../daemon/store/sessions.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { givenRuns } from '../db/given.ts';

const database = useDatabase();

test('saveAttachment writes the runtime columns and no projection', async () => {
  const { sessionId } = await givenSession(database(), { state: 'BUSY', lastPromptHash: 'h', recoveryAttempts: 2 });
  const db = database().drizzle;
  const before = await readSession(db, sessionId);
  await saveAttachment(db, sessionId, { pid: 7, tmuxSession: 'devflow-x', tmuxWindow: '@3', tmuxPane: '%4' });
  const attached = { lastKnownPanePid: 7, tmuxSession: 'devflow-x', tmuxWindow: '@3', tmuxPane: '%4' };
  expect(await readSession(db, sessionId)).toEqual({ ...before, ...attached });
  await saveAttachment(db, sessionId, {});
  expect(await readSession(db, sessionId)).toEqual(before);
});

test('listOpenSessions leaves out the sessions of runs that ended', async () => {
  const db = database().drizzle;
  const [open, over] = (await givenRuns(database(), 2)) as [string, string];
  const { sessionId: planner } = await givenSession(database(), { runId: open });
  const { sessionId: implementer } = await givenSession(database(), { runId: open, roleId: 'implementer' });
  const { sessionId: done } = await givenSession(database(), { runId: over });
  await db.update(runs).set({ state: 'completed' }).where(eq(runs.id, over));
  expect((await listOpenSessions(db)).map(({ id }) => id)).toEqual([implementer, planner]);
  expect((await listSessions(db, { runId: over })).map(({ id }) => id)).toEqual([done]);
  expect(await listSessions(db)).toHaveLength(3);
  expect(await readSession(db, derivedId('nobody'))).toBeUndefined();
});

test('a session whose lane has landed has ended, also while its run goes on', async () => {
  const db = database().drizzle;
  const [runId] = (await givenRuns(database(), 1)) as [string];
  const phaseId = derivedId(runId, 'phase');
  await db.insert(runPhases).values({ id: phaseId, runId, phaseKey: 'build', seq: 1, state: 'running' });
  const place = { runId, phaseId, roleId: 'implementer', path: '/w', branch: 'b', base: 'c' };
  await db.insert(lanes).values([
    { ...place, laneId: 'lane-1', state: 'landed' },
    { ...place, laneId: 'lane-2', state: 'queued' },
  ]);
  const ids: Record<string, string> = {};
  for (const laneId of ['main', 'lane-1', 'lane-2'])
    ids[laneId] = (await givenSession(database(), { runId, laneId, state: 'READY' })).sessionId;
  const list = async (filter: Parameters<typeof listSessions>[1]) =>
    (await listSessions(db, filter)).map(({ id }) => id);
  expect((await listOpenSessions(db)).map(({ id }) => id)).toEqual([ids.main, ids['lane-2']]);
  expect(await list({ state: 'READY' })).toEqual([ids.main, ids['lane-2']]);
  expect(await list({ state: 'ENDED' })).toEqual([ids['lane-1']]);
  const { countListed } = createLists(database().pool);
  for (const [state, count] of [
    ['READY', 2],
    ['ENDED', 1],
  ] as const)
    expect(await countListed('sessions', { state })).toBe(count);
  expect(await readSession(db, ids['lane-1'] ?? '')).toMatchObject({ laneState: 'landed', runState: 'created' });
});

test('a role instance has one session in each lane; those of main come first, and lane 2 comes before lane 10', async () => {
  const [runId] = (await givenRuns(database(), 1)) as [string];
  for (const laneId of ['lane-10', 'main', 'lane-2']) await givenSession(database(), { runId, laneId });
  const listed = (await listSessions(database().drizzle, { runId })).map(({ laneId }) => laneId);
  expect(listed).toEqual(['main', 'lane-2', 'lane-10']);
  const twice = { id: derivedId('twice'), runId, laneId: 'main' };
  await expect(givenSession(database(), twice)).rejects.toMatchObject({
    cause: { constraint: 'tui_sessions_run_id_role_id_lane_id_key' },
  });
});

test('listSessions begins with the newest run, and a limit leaves out none of an open run', async () => {
  const db = database().drizzle;
  const made = await givenRuns(database(), 4);
  const ids: string[] = [];
  for (const [nth, runId] of made.entries()) {
    const state = nth === 0 ? 'paused' : 'completed';
    await db
      .update(runs)
      .set({ state, createdAt: new Date(Date.UTC(2026, 0, nth + 1)) })
      .where(eq(runs.id, runId));
    ids.push((await givenSession(database(), { runId })).sessionId);
  }
  const [open, second, third, newest] = ids;
  const list = async (filter: Parameters<typeof listSessions>[1]) =>
    (await listSessions(db, filter)).map(({ id }) => id);
  expect(await list({})).toEqual([newest, third, second, open]);
  expect(await list({ limit: 2 })).toEqual([newest, third, open]);
  expect(await list({ limit: 0 })).toEqual([open]);
  expect(await list({ limit: 1, runId: made[1] })).toEqual([second]);
  // Nobody hears of the last state of a session whose run has ended, in old databases as well.
  expect(await list({ state: 'READY' })).toEqual([open]);
  expect(await list({ state: 'ENDED' })).toEqual([newest, third, second]);
  expect(await list({ state: 'ENDED', runId: made[0] })).toEqual([]);
});
