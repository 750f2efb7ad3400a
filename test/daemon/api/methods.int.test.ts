import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIds } from '../../../daemon/api/lookup/ids.ts';
import { type ApiParts, createMethods } from '../../../daemon/api/methods.ts';
import { createSessionReads } from '../../../daemon/api/sessions/sessionReads.ts';
import { whyOf } from '../../../daemon/api/sessions/why.ts';
import { createAgentSlots } from '../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import type { Call } from '../../../daemon/rpc/peer.ts';
import type { SessionSignal } from '../../../daemon/sessions/contract/adapter.ts';
import { verdictOf } from '../../../daemon/sessions/contract/signals.ts';
import { createGitCommands } from '../../../daemon/store/gitCommands.ts';
import { createLists } from '../../../daemon/store/lists.ts';
import { appendChunks } from '../../../daemon/store/transcripts.ts';
import type { MethodName, RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { METHODS } from '../../../schemas/rpc/methods/index.ts';
import { givenHistory, readHistory } from '../../helpers/givenHistory.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { givenPlaces } from '../engine/local/support/places.ts';

const database = useDatabase();
const happy = readHistory('happy');
/** Up to the last event of a kind, and with it. */
const upTo = (type: string) => happy.slice(0, happy.findLastIndex((event) => event.type === type) + 1);
/** Up to the first event of a kind, and with it. */
const upToFirst = (type: string) => happy.slice(0, happy.findIndex((event) => event.type === type) + 1);

const NO_CALL = {} as Call;

/** The methods over a database with these events. `ask` calls one as a client would. */
async function given(events = happy, agentSlots = createAgentSlots(4, createBus())) {
  const history = await givenHistory(database(), events);
  const watched: string[] = [];
  const lists = createLists(database().pool);
  const methods = createMethods({
    ...history,
    engine: {
      ...history.engine,
      settled: async () => {},
      adoptionCounts: () => ({ adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 }),
      openRuns: () => [history.run],
    },
    ids: createIds(lists),
    here: { id: 'here', shared: false, unpinned: 'here' },
    database: database(),
    lists,
    tries: {},
    manager: { lastWords: async () => undefined },
    adapters: {},
    worktrees: { read: () => undefined, readCopies: () => [] },
    agentSlots,
    runPlaces: givenPlaces(),
    gitCommands: createGitCommands(database().drizzle),
    filters: [],
    config: { backends: {} },
    log: { warn: () => {} },
    refusedAt: () => [],
    onTranscriptRead: (sessionId: string) => watched.push(sessionId),
    contracts: { now: () => 0, isInUse: async () => false },
    repositories: { settings: {}, paths: {}, initRepository: async () => ({}) },
    daemon: {
      version: '1.2.3',
      socketPath: '/s',
      startedAt: new Date(0),
      problems: () => [],
      stop: () => {},
      webhookStatus: () => undefined,
    },
  } as unknown as ApiParts);
  const ask = async <N extends MethodName>(name: N, params: RpcParams<N>): Promise<RpcResult<N>> => {
    const parsed = METHODS.find((method) => method.name === name)?.params.parse(params);
    return methods[name](parsed as never, NO_CALL) as Promise<RpcResult<N>>;
  };
  return { ...history, ask, watched };
}

test('shows a run, its gates, sessions and artifacts as the lists show them', async () => {
  const { ask, run } = await given(upToFirst('approval.requested'));
  const runId = run.id;
  const [listed] = await ask('run.list', { limit: 1 });
  const detail = await ask('run.get', { runId });
  expect(detail).toMatchObject(listed as object);
  expect(detail).toMatchObject({ runId: run.id, waitsForPerson: true, lastSeq: run.lastSeq });
  expect(await ask('run.findings', { runId: runId.slice(0, 8) })).toEqual({
    runId,
    findings: [],
    reviews: [],
    notes: [],
  });
  const [gate] = await ask('approval.list', {});
  const approvalId = gate?.id as string;
  expect(await createIds(createLists(database().pool)).approval(approvalId.slice(0, 8))).toEqual({ approvalId, runId });
  expect(await ask('approval.get', { approvalId: approvalId.slice(0, 8) })).toMatchObject({ ...gate, runId });
  expect(await ask('list.count', { of: 'approvals', runId })).toEqual({ total: 1 });
  const [session] = await ask('session.list', { runId });
  expect(await ask('session.get', { sessionId: session?.sessionId as string })).toMatchObject({ ...session, runId });
  const [artifact] = await ask('artifact.list', { runId });
  expect(await ask('artifact.get', { artifactId: artifact?.artifactId as string })).toMatchObject({
    path: artifact?.path,
    content: null,
  });
});

test('fails with not_found for unknown ids', async () => {
  const { ask } = await given(upTo('run.created'));
  const nobody = randomUUID();
  const asked = [
    () => ask('run.get', { runId: nobody }),
    () => ask('approval.get', { approvalId: nobody }),
    () => ask('session.get', { sessionId: nobody }),
    () => ask('artifact.get', { artifactId: nobody }),
    () => ask('artifact.list', { runId: nobody }),
  ];
  for (const each of asked) await expect(each()).rejects.toMatchObject({ code: 'not_found' });
});

test('reads a transcript in pages and watches its session from then on', async () => {
  const { ask, run, watched } = await given(upTo('session.ready'));
  const sessionId = run.sessions[0]?.id as string;
  const text = (content: string) => ({ kind: 'output' as const, bytes: Buffer.from(content) });
  await appendChunks(database().drizzle, sessionId, [text('one'), text('two\u001b[31m'), text('\xff')]);
  const page = await ask('session.transcript', { sessionId, afterSeq: 1, limit: 1 });
  expect(page).toMatchObject({ lastSeq: 2, more: true, chunks: [{ seq: 2, content: 'two\u001b[31m' }] });
  expect(watched).toEqual([sessionId]);
});

test('composes the report of an open run', async () => {
  const { ask, run } = await given(upToFirst('approval.requested'));
  const report = await ask('run.report', { runId: run.id });
  expect(report).toMatchObject({ runId: run.id, paths: null, json: { status: expect.any(String) } });
  expect(report.markdown).toContain(run.id);
  await expect(ask('run.report', { runId: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
});

test('refuses to clean up an open run', async () => {
  const { ask, run } = await given(upToFirst('approval.requested'));
  await expect(ask('run.cleanup', { runId: run.id })).rejects.toMatchObject({ code: 'state_conflict' });
  await expect(ask('run.cleanup', { runId: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
});

test('each row says when it last changed, and replaying agrees', async () => {
  const { ask, run } = await given(upTo('session.idle'));
  const last = happy.findLast(({ type }) => type === 'session.idle');
  const changed = async (table: string) =>
    (await database().pool.query(`SELECT max(updated_at) AS at FROM ${table}`)).rows[0].at.toISOString();
  expect(await changed('runs')).toBe(last?.ts);
  expect(await changed('tui_sessions')).toBe(last?.ts);
  expect(await ask('run.verify', { runId: run.id })).toEqual({ runId: run.id, ok: true, differences: [] });
});

test('verify accepts rows that an earlier version wrote', async () => {
  const { ask, run } = await given();
  await database().pool.query('UPDATE tui_sessions SET updated_at = last_prompt_at');
  expect(await ask('run.verify', { runId: run.id })).toMatchObject({ ok: true });
});

test('why says since when a session has its state', async () => {
  const { run, runLog, engine } = await given(upTo('session.idle'));
  const idle = happy.findLast(({ type }) => type === 'session.idle');
  const { sessionId } = (idle as { payload: { sessionId: string } }).payload;
  const at = (ms: number) => new Date(Date.parse(idle?.ts as string) + ms);
  const taken: SessionSignal = { at: at(-1000), source: 'prompt', fact: 'taken' };
  expect(run.sessions.find(({ id }) => id === sessionId)?.state).toBe('READY');
  const row = await createSessionReads({ database: database(), engine }).getRow(sessionId);
  const whyWith = (signals: SessionSignal[]) =>
    whyOf(row, {
      runLog,
      agentSlots: createAgentSlots(4, createBus()),
      manager: { why: async () => ({ sessionId, signals, ...verdictOf(signals, false) }), stallOf: () => undefined },
    });
  const why = await whyWith([taken]);
  expect(why).toMatchObject({ state: 'READY', since: idle?.ts });
  expect(why.sentence).toBe("It has no work now. The run's log says session.idle, and no newer signal contradicts it.");
  expect(why.signals.at(-1)).toEqual({ at: idle?.ts, signal: 'event', detail: 'session.idle', state: 'READY' });
  const weighed: SessionSignal = { at: at(60_000), source: 'rule', fact: 'BUSY: its screen says so' };
  expect(await whyWith([taken, weighed])).toMatchObject({
    since: idle?.ts,
    sentence: 'It has no work now. The signals say busy: its screen says so.',
  });
});

test('says that a run and its session wait for an agent slot', async () => {
  const agentSlots = createAgentSlots(1, createBus());
  const { ask, run } = await given(upTo('session.created'), agentSlots);
  const runId = run.id;
  const sessionId = run.sessions.at(-1)?.id as string;
  agentSlots.forRun('another run', () => {}).request([{ sessionId: 'busy', isAtWork: true }]);
  expect(await ask('run.get', { runId })).toMatchObject({ waitingFor: null });
  agentSlots.forRun(runId, () => {}).request([{ sessionId, isAtWork: false }]);
  const waits = { waitingFor: 'a free agent slot (1 of 1 at work)', waitsForPerson: false, alsoWaitsFor: [] };
  expect(await ask('run.get', { runId })).toMatchObject(waits);
  expect(await ask('run.list', {})).toMatchObject([waits]);
  expect(await ask('daemon.status', {})).toMatchObject({ agentSlots: { atWork: 1, waiting: 1, limit: 1 } });
  const row = await createSessionReads({
    database: database(),
    engine: { readRun: async () => run, openRuns: () => [] },
  }).getRow(sessionId);
  const manager = { why: async () => ({ sessionId, signals: [], ...verdictOf([], false) }), stallOf: () => undefined };
  const { sentence } = await whyOf(row, { runLog: { readEvents: async () => [] }, agentSlots, manager });
  expect(sentence).toMatch(/^It waits for a free agent slot \(1 of 1 at work\)\. /);
});

test('status answers from memory while the database does not answer', async () => {
  const { ask, run } = await given(upToFirst('approval.requested'));
  const known = { runs: { [run.state]: 1 }, approvals: { pending: 1 }, sessions: { READY: 1 } };
  expect(await ask('daemon.status', {})).toMatchObject({ database: { ok: true }, ...known });
  const client = await database().pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
    expect(await ask('daemon.status', {})).toMatchObject({
      daemon: { version: '1.2.3' },
      database: { ok: false },
      ...known,
    });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
