import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { approvalRequests, runs } from '../../../daemon/db/schema/index.ts';
import { createLists, lastBackendsIn } from '../../../daemon/store/lists.ts';
import type { ApprovalState, RunState } from '../../../schemas/enums.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { givenRuns } from '../db/given.ts';

const database = useDatabase();
const day = (nth: number) => new Date(Date.UTC(2026, 0, nth + 1));

/** Runs in these states, the first of them the oldest. */
async function givenRunsIn(states: readonly RunState[]): Promise<string[]> {
  const ids = await givenRuns(database(), states.length);
  for (const [nth, state] of states.entries()) {
    const change = { state, createdAt: day(nth) };
    await database()
      .drizzle.update(runs)
      .set(change)
      .where(eq(runs.id, ids[nth] as string));
  }
  return ids;
}

/** Gates of a run in these states, the first of them the oldest. */
async function givenGates(runId: string, states: readonly ApprovalState[]): Promise<string[]> {
  const rows = states.map((state, nth) => ({
    id: randomUUID(),
    runId,
    gateKey: `g${nth}`,
    state,
    idempotencyKey: randomUUID(),
    createdAt: day(nth),
    payload: { kind: 'gate', phaseKey: 'plan', attempt: 2 },
  }));
  await database().drizzle.insert(approvalRequests).values(rows);
  return rows.map(({ id }) => id);
}

test('lists all open runs, newest first, despite many newer ended runs', async () => {
  const [waits, ...ended] = await givenRunsIn(['awaiting_approval', 'completed', 'failed', 'aborted']);
  const lists = createLists(database().pool);
  const list = async (filter: Parameters<typeof lists.listRuns>[0]) =>
    (await lists.listRuns(filter)).map(({ runId }) => runId);
  expect(await list({ limit: 2 })).toEqual([ended[2], ended[1], waits]);
  expect(await list({ limit: 0 })).toEqual([waits]);
  expect(await list({})).toEqual([ended[2], ended[1], ended[0], waits]);
  expect(await list({ state: 'failed', limit: 1 })).toEqual([ended[1]]);
  expect(await list({ state: 'awaiting_approval', limit: 0 })).toEqual([waits]);
  expect(await lists.countListed('runs', {})).toBe(4);
  expect(await lists.countListed('runs', { state: 'failed' })).toBe(1);
});

test('lists a pending gate despite many newer decided gates', async () => {
  const [runId, other] = (await givenRuns(database(), 2)) as [string, string];
  const gates = await givenGates(runId, ['pending', 'paused', 'approved', 'rejected', 'pending']);
  await givenGates(other, ['approved']);
  const [oldest, paused, approved, rejected, newest] = gates;
  const lists = createLists(database().pool);
  const list = async (filter: Parameters<typeof lists.listApprovals>[0]) =>
    (await lists.listApprovals(filter)).map(({ id }) => id);
  expect(await list({ limit: 1 })).toEqual([newest, paused, oldest]);
  expect(await list({ runId, all: true, limit: 2 })).toEqual([newest, rejected, paused, oldest]);
  expect(await list({ runId, all: true })).toEqual([newest, rejected, approved, paused, oldest]);
  expect(await list({ state: 'pending', limit: 1 })).toEqual([newest, oldest]);
  expect(await list({ runId: other })).toEqual([]);
  expect(await lists.countListed('approvals', {})).toBe(3);
  expect(await lists.countListed('approvals', { all: true })).toBe(6);
  expect(await lists.countListed('approvals', { runId, state: 'approved' })).toBe(1);
  expect((await lists.listApprovals({ limit: 1 }))[0]).toEqual({
    id: newest,
    runId,
    runTitle: 'Work of devflow',
    gateKey: 'g4',
    kind: 'gate',
    phaseKey: 'plan',
    assignment: null,
    laneId: null,
    attempt: 2,
    state: 'pending',
    createdAt: day(4).toISOString(),
    resolvedAt: null,
  });
});

test('lists what an agent asks, and what it said last', async () => {
  const [runId = ''] = await givenRuns(database(), 1);
  const subjects = [
    { kind: 'agent', subject: { detail: 'question: Which one?' } },
    { kind: 'turn', subject: { words: 'Done.' } },
    { kind: 'recovery', subject: { detail: 'no words' } },
  ];
  const ids = await givenGates(
    runId,
    subjects.map(() => 'pending'),
  );
  for (const [nth, about] of subjects.entries()) {
    const payload = { ...about, phaseKey: 'plan', attempt: 1 };
    await database()
      .drizzle.update(approvalRequests)
      .set({ payload })
      .where(eq(approvalRequests.id, ids[nth] ?? ''));
  }
  const listed = await createLists(database().pool).listApprovals({});
  expect(listed.map(({ kind, words }) => [kind, words])).toEqual([
    ['recovery', undefined],
    ['turn', 'Done.'],
    ['agent', 'question: Which one?'],
  ]);
});

test('remembers the newest real backend of each role', async () => {
  const [oldest, older, newest] = await givenRunsIn(['completed', 'failed', 'completed']);
  const { pool } = database();
  await pool.query(`UPDATE runs SET repository = '/r/.git'`);
  await pool.query(`INSERT INTO agent_personas (name, version, hash, definition) VALUES ('p', 1, 'h', '{}')`);
  const play = (runId: string | undefined, roleId: string, backend: string) =>
    pool.query(
      `INSERT INTO run_bindings (run_id, role_id, persona_id, persona_hash, backend, binding_hash)
       SELECT $1, $2, id, 'h', $3, 'h' FROM agent_personas`,
      [runId, roleId, backend],
    );
  for (const role of ['coder', 'reviewer', 'verifier']) await play(newest, role, 'fake');
  await play(older, 'coder', 'gemini');
  await play(older, 'reviewer', 'fake');
  await play(oldest, 'coder', 'codex');
  await play(oldest, 'reviewer', 'claude');
  expect(await lastBackendsIn(pool)(['/r/.git'])).toEqual([
    { roleId: 'coder', backend: 'gemini', runId: older },
    { roleId: 'reviewer', backend: 'claude', runId: oldest },
  ]);
});

test('counts the sessions that it lists', async () => {
  const [runId, other] = (await givenRuns(database(), 2)) as [string, string];
  await givenSession(database(), { runId, state: 'HUNG' });
  await givenSession(database(), { runId: other });
  const lists = createLists(database().pool);
  expect(await lists.countListed('sessions', {})).toBe(2);
  expect(await lists.countListed('sessions', { runId, state: 'HUNG' })).toBe(1);
  expect(await lists.countListed('sessions', { runId: other, state: 'HUNG' })).toBe(0);
  expect(await lists.countListed('sessions', { state: 'ENDED' })).toBe(0);
});

test('counts runs by state and pending gates', async () => {
  const [runId] = await givenRunsIn(['paused', 'completed', 'completed']);
  await givenGates(runId as string, ['pending', 'paused', 'approved']);
  const lists = createLists(database().pool);
  expect(await lists.countRuns()).toEqual({ paused: 1, completed: 2 });
  expect(await lists.countPendingApprovals()).toBe(1);
  expect(await lists.listRunIds()).toHaveLength(3);
});

test('finds an id by any unique prefix', async () => {
  const [runId] = (await givenRuns(database(), 1)) as [string];
  const [gate, second] = (await givenGates(runId, ['pending', 'approved'])) as [string, string];
  const lists = createLists(database().pool);
  expect(await lists.resolve('approval', gate.slice(0, 12).toUpperCase())).toBe(gate);
  expect(await lists.runOf('approval', gate)).toBe(runId);
  await expect(lists.resolve('approval', "x' OR 1=1")).rejects.toMatchObject({ code: 'not_found' });
  await expect(lists.runOf('approval', randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  const same = `${gate.slice(0, 35)}${gate.endsWith('0') ? '1' : '0'}`;
  await database().drizzle.update(approvalRequests).set({ id: same }).where(eq(approvalRequests.id, second));
  await expect(lists.resolve('approval', gate.slice(0, 35))).rejects.toMatchObject({
    code: 'ambiguous_id',
    data: { candidates: expect.arrayContaining([gate, same]) },
  });
});
