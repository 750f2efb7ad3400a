import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { evolve } from '../../../daemon/engine/core/evolve/evolve.ts';
import type { Run } from '../../../daemon/engine/core/state.ts';
import { createCleanup } from '../../../daemon/ports/cleanup.ts';
import { createDaemonPort } from '../../../daemon/ports/daemon.ts';
import { createReads } from '../../../daemon/ports/reads.ts';
import { createReports } from '../../../daemon/ports/reports.ts';
import { createSessionsPort } from '../../../daemon/ports/sessions.ts';
import { createVerify } from '../../../daemon/ports/verify.ts';
import type { SessionSignal } from '../../../daemon/sessions/adapter.ts';
import type { SessionManager } from '../../../daemon/sessions/manager.ts';
import { verdictOf } from '../../../daemon/sessions/signals.ts';
import { createGitCommands } from '../../../daemon/store/gitCommands.ts';
import { createLists } from '../../../daemon/store/lists.ts';
import { appendChunks } from '../../../daemon/store/transcripts.ts';
import { givenHistory, readHistory } from '../../helpers/givenHistory.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();
const happy = readHistory('happy');
/** Up to the last event of a kind, and with it. */
const upTo = (type: string) => happy.slice(0, happy.findLastIndex((event) => event.type === type) + 1);
/** Up to the first event of a kind, and with it. */
const upToFirst = (type: string) => happy.slice(0, happy.findIndex((event) => event.type === type) + 1);

async function given(events = happy) {
  const history = await givenHistory(database(), events);
  const watched: string[] = [];
  const lists = createLists(database().pool);
  const reads = createReads({
    ...{ database: database(), lists, ...history },
    worktrees: { read: () => undefined },
    onTranscriptRead: (sessionId) => watched.push(sessionId),
  });
  return { ...history, reads, lists, watched };
}

function daemonPort({ lists, run }: Awaited<ReturnType<typeof given>>) {
  return createDaemonPort({
    ...{ version: '1.2.3', socketPath: '/s', startedAt: new Date(0), database: database(), lists, problems: [] },
    survivors: () => ({ adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 }),
    openRuns: () => [run],
    stop: () => {},
  });
}

function sessionsPort(runLog: Awaited<ReturnType<typeof given>>['runLog'], signals: SessionSignal[]) {
  const manager = {
    why: async (sessionId: string) => ({ sessionId, signals, ...verdictOf(signals) }),
    stallOf: () => undefined,
  } as unknown as SessionManager;
  return createSessionsPort(database(), manager, {}, runLog);
}

test('a run is read as it is listed, with all that belongs to it', async () => {
  const { reads, run } = await given(upToFirst('approval.requested'));
  const [listed] = await reads.listRuns({ limit: 1 });
  const detail = await reads.getRun(run.id);
  expect(detail).toMatchObject(listed as object);
  expect(detail).toMatchObject({ runId: run.id, waitsForPerson: true, lastSeq: run.lastSeq });
  const [gate] = await reads.listApprovals({});
  expect(await reads.resolveApproval(gate?.id.slice(0, 8) as string)).toEqual({ approvalId: gate?.id, runId: run.id });
  expect(await reads.getApproval(gate?.id as string)).toMatchObject({ ...gate, runId: run.id });
  expect(await reads.countListed('approvals', { runId: run.id })).toBe(1);
  const [session] = await reads.listSessions({ runId: run.id });
  expect(await reads.getSession(session?.sessionId as string)).toMatchObject({ ...session, runId: run.id });
  const [artifact] = await reads.listArtifacts(run.id);
  expect(await reads.getArtifact(artifact?.artifactId as string)).toMatchObject({
    path: artifact?.path,
    content: null,
  });
});

test('what is not there is not found', async () => {
  const { reads } = await given(upTo('run.created'));
  const nobody = randomUUID();
  for (const asked of [reads.getRun, reads.getApproval, reads.getSession, reads.getArtifact, reads.listArtifacts]) {
    await expect(asked(nobody)).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('a transcript is read in pages, and its session is watched from then on', async () => {
  const { reads, run, watched } = await given(upTo('session.ready'));
  const sessionId = run.sessions[0]?.id as string;
  const text = (content: string) => ({ kind: 'output' as const, bytes: Buffer.from(content) });
  await appendChunks(database().drizzle, sessionId, [text('one'), text('two\u001b[31m'), text('\xff')]);
  const page = await reads.readTranscript(sessionId, { afterSeq: 1, limit: 1 });
  expect(page).toMatchObject({ lastSeq: 2, more: true, chunks: [{ seq: 2, content: 'two\u001b[31m' }] });
  expect(watched).toEqual([sessionId]);
});

test('the report of an open run and of one that has ended', async () => {
  const { engine, runLog, run } = await given(upToFirst('approval.requested'));
  const report = await createReports({ engine, runLog }).read(run.id);
  expect(report).toMatchObject({ runId: run.id, paths: null, json: { status: expect.any(String) } });
  expect(report.markdown).toContain(run.id);
  await expect(createReports({ engine, runLog }).read(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
});

test('cleaning up is refused while the run is open', async () => {
  const { engine, run } = await given(upToFirst('approval.requested'));
  const cleanup = createCleanup(engine, {
    filters: [],
    gitCommands: createGitCommands(database().drizzle),
    log: { warn: () => {} },
  });
  await expect(cleanup.run(run.id, { force: false })).rejects.toMatchObject({ code: 'state_conflict' });
  await expect(cleanup.run(randomUUID(), { force: false })).rejects.toMatchObject({ code: 'not_found' });
});

test('each row says when it was last changed, and replaying agrees', async () => {
  const { runLog, run } = await given(upTo('session.idle'));
  const last = happy.findLast(({ type }) => type === 'session.idle');
  const changed = async (table: string) =>
    (await database().pool.query(`SELECT max(updated_at) AS at FROM ${table}`)).rows[0].at.toISOString();
  expect(await changed('runs')).toBe(last?.ts);
  expect(await changed('tui_sessions')).toBe(last?.ts);
  expect(await createVerify(database(), runLog).run(run.id)).toEqual({ runId: run.id, ok: true, differences: [] });
});

test('verify reads again when the run moved between its log and its rows', async () => {
  const { runLog, run } = await given();
  const stale = [upTo('session.idle').reduce<Run | undefined>(evolve, undefined)];
  const moving = { ...runLog, readRun: async (runId: string) => stale.pop() ?? runLog.readRun(runId) };
  expect(await createVerify(database(), moving).run(run.id)).toEqual({ runId: run.id, ok: true, differences: [] });
  expect(stale).toEqual([]);
});

test('rows that an earlier version wrote are true as well', async () => {
  const { runLog, run } = await given();
  await database().pool.query('UPDATE tui_sessions SET updated_at = last_prompt_at');
  expect(await createVerify(database(), runLog).run(run.id)).toMatchObject({ ok: true });
});

test('why says since when a session has its state, not when it was asked', async () => {
  const { runLog, run } = await given(upTo('session.idle'));
  const idle = happy.findLast(({ type }) => type === 'session.idle');
  const { sessionId } = (idle as { payload: { sessionId: string } }).payload;
  const at = (ms: number) => new Date(Date.parse(idle?.ts as string) + ms);
  const taken: SessionSignal = { at: at(-1000), source: 'prompt', fact: 'taken' };
  expect(run.sessions.find(({ id }) => id === sessionId)?.state).toBe('READY');
  const why = await sessionsPort(runLog, [taken]).why(sessionId);
  expect(why).toMatchObject({ state: 'READY', since: idle?.ts });
  expect(why.sentence).toBe('The log of the run says session.idle, and no newer signal says otherwise.');
  expect(why.signals.at(-1)).toEqual({ at: idle?.ts, signal: 'event', detail: 'session.idle', state: 'READY' });
  const weighed: SessionSignal = { at: at(60_000), source: 'rule', fact: 'BUSY: its screen says so' };
  expect(await sessionsPort(runLog, [taken, weighed]).why(sessionId)).toMatchObject({
    ...{ since: idle?.ts, sentence: 'The signals say busy: its screen says so.' },
  });
});

test('status asks the database, and answers while that does not', async () => {
  const all = await given(upToFirst('approval.requested'));
  const port = daemonPort(all);
  const known = { runs: { [all.run.state]: 1 }, approvals: { pending: 1 }, sessions: { READY: 1 } };
  expect(await port.status()).toMatchObject({ database: { ok: true }, ...known });
  const client = await database().pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
    expect(await port.status()).toMatchObject({ daemon: { version: '1.2.3' }, database: { ok: false }, ...known });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
