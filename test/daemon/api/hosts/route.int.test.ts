import { expect, test } from 'vitest';
import { createIds } from '../../../../daemon/api/lookup/ids.ts';
import { type ApiParts, createMethods } from '../../../../daemon/api/methods.ts';
import type { Here } from '../../../../daemon/core/run/place.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import type { EngineServer } from '../../../../daemon/engine/runEngine.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { createAnswerHost } from '../../../../daemon/rpc/answerHost.ts';
import type { Handlers } from '../../../../daemon/rpc/handlers.ts';
import type { Call } from '../../../../daemon/rpc/peer.ts';
import { listHosts, readHostOfRun, readHostOfSchedule } from '../../../../daemon/store/hosts.ts';
import { createLists } from '../../../../daemon/store/lists.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { METHODS, type MethodName, type RpcParams, type RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import { type HostAnswer, resultOf } from '../../../../schemas/rpc/wireError.ts';
import { givenHistory, readHistory } from '../../../helpers/givenHistory.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { givenPlaces } from '../../engine/local/support/places.ts';

const database = useDatabase();
const NO_CALL = {} as Call;
const PANE = { binary: 'tmux', socket: '/far/tmux.sock', session: '$1', window: '@1', paneId: '%1' };

const pinned = (events: RunEvent[], host: string): RunEvent[] =>
  events.map((event) =>
    event.type === 'run.created' ? { ...event, payload: { ...event.payload, host } } : event,
  ) as RunEvent[];

/** Two daemons on one database, and a run on the second. Questions travel as JSON, as over any network. */
async function given({ events = readHistory('happy'), pane = PANE as object, host = 'far' } = {}) {
  const open = events.slice(0, events.findIndex(({ type }) => type === 'approval.requested') + 1);
  const history = await givenHistory(database(), pinned(open, host));
  const { pool } = database();
  await pool.query(`INSERT INTO daemon_lease (host, epoch, pid, machine, version, beat_at)
    VALUES ('near', 1, 1, 'm', '1.2.3', now()), ('far', 2, 2, 'n', '1.2.3', now())`);
  const asked: string[] = [];
  const decided: string[] = [];
  /** The daemons whose engine was asked to finish what it writes. */
  const settledOn: string[] = [];
  const daemons: Partial<Record<string, Handlers>> = {};

  let away: EngineServer['away'] = null;

  async function askHost(hostId: string, method: string, params: unknown): Promise<unknown> {
    if (away)
      throw new DevflowError('temporal_unreachable', `Host ${hostId} cannot be asked: Temporal ${away.reason}.`);
    asked.push(`${hostId} ${method}`);
    const answer = createAnswerHost(daemons[hostId] as Handlers, { error() {} });
    const overTheWire = JSON.stringify(await answer(method, JSON.parse(JSON.stringify(params))));
    return resultOf(JSON.parse(overTheWire) as HostAnswer);
  }

  function daemon(id: string): Handlers {
    const here: Here = { id, shared: true, unpinned: 'near' };
    const lists = createLists(pool);
    const bus = createBus();
    return createMethods({
      ...history,
      here,
      hosts: {
        here,
        askHost,
        listHosts: () => listHosts(pool),
        readHostOfRun: (runId: string) => readHostOfRun(pool, runId),
        readHostOfSchedule: (scheduleId: string) => readHostOfSchedule(pool, scheduleId),
      },
      engine: {
        ...history.engine,
        settled: async () => void settledOn.push(id),
        server: () => ({ address: 'temporal:7233', namespace: 'devflow', away }),
        adoptionCounts: () => ({ adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 }),
        abortRun: async (runId: string, reason: string) => {
          expect([runId, reason]).toEqual([history.run.id, 'its host far is gone for good']);
          return { state: 'aborted', changed: true };
        },
        async signalApproval(runId: string, approvalId: string, action: string) {
          if (action === 'approve' && id !== 'far')
            throw new DevflowError('host_unreachable', 'What the gate shows is on host far.');
          decided.push(`${id} ${action}`);
          return { decisionId: approvalId, created: true, state: 'approved', runId };
        },
      },
      starter: { startRun: async () => ({ runId: id, uncommitted: null, submodules: [], warnings: [] }) },
      manager: { probe: async () => ({ alive: id === 'far', paneActive: false }) },
      ids: createIds(lists),
      database: database(),
      lists,
      tries: {},
      adapters: { fake: { attachPoint: async () => (id === 'far' ? pane : undefined) } },
      worktrees: { read: () => undefined, readCopies: () => [] },
      agentSlots: createAgentSlots(4, bus),
      runPlaces: givenPlaces(),
      filters: [],
      config: { backends: {} },
      log: { warn: () => {} },
      refusedAt: () => [],
      onTranscriptRead: () => {},
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
  }
  daemons.near = daemon('near');
  daemons.far = daemon('far');

  const ask = async <N extends MethodName>(name: N, params: RpcParams<N>): Promise<RpcResult<N>> => {
    const parsed = METHODS.find((method) => method.name === name)?.params.parse(params);
    return (await daemons.near?.[name](parsed as never, NO_CALL)) as RpcResult<N>;
  };
  const silence = (host: string) =>
    pool.query(`UPDATE daemon_lease SET beat_at = now() - interval '1 minute' WHERE host = $1`, [host]);
  const forget = (id: string) => pool.query('DELETE FROM daemon_lease WHERE host = $1', [id]);
  const { run } = history as { run: Run };
  const loseTemporal = () => {
    away = { since: '2026-01-02T03:04:05.000Z', reason: 'does not answer' };
  };
  return { run, ask, asked, decided, settledOn, silence, forget, loseTemporal };
}

test('asks the host of a run for what needs its disk or its agents', async () => {
  const { run, ask, asked } = await given();
  const sessionId = run.sessions[0]?.id as string;
  expect(await ask('session.probe', { sessionId: sessionId.slice(0, 8) })).toMatchObject({ sessionId, alive: true });
  await ask('approval.get', { approvalId: run.approvals[0]?.id as string });
  await ask('session.transcript', { sessionId });
  expect(asked).toEqual(['far session.probe', 'far approval.get', 'far session.transcript']);
  // What the database knows is answered by any host.
  await ask('run.get', { runId: run.id });
  await ask('run.list', {});
  expect(asked).toHaveLength(3);
});

test('verifies a run on its own host, whose engine may still write, and here if that host is silent', async () => {
  const { run, ask, asked, settledOn, silence } = await given();
  expect(await ask('run.verify', { runId: run.id.slice(0, 8) })).toEqual({ runId: run.id, ok: true, differences: [] });
  expect(asked).toEqual(['far run.verify']);
  expect(settledOn).toEqual(['far']);
  await silence('far');
  expect(await ask('run.verify', { runId: run.id })).toMatchObject({ ok: true });
  expect(asked).toHaveLength(1);
  expect(settledOn).toEqual(['far', 'near']);
});

test('keeps the code, the hint and the data of the error that the other host answers', async () => {
  const { run, ask } = await given();
  await expect(ask('run.cleanup', { runId: run.id })).rejects.toMatchObject({ code: 'state_conflict', runId: run.id });
});

test('names the host of a pane, and which one it is for the agent that needs a person most', async () => {
  const { run, ask } = await given();
  const sessionId = run.sessions[0]?.id as string;
  const target = { sessionId, host: 'far', tmux: PANE };
  expect(await ask('session.attachTarget', { target: sessionId })).toMatchObject(target);
  expect(await ask('session.attachTarget', {})).toMatchObject(target);
});

test('refuses an answer that it does not know, such as that of another version', async () => {
  const { run, ask } = await given({ pane: { ...PANE, session: undefined, name: '$1' } });
  await expect(ask('session.attachTarget', { target: run.sessions[0]?.id })).rejects.toMatchObject({
    code: 'version_mismatch',
    message: 'Host far answered session.pane in a form that this devflow does not know.',
    data: { host: 'far', version: '1.2.3' },
  });
});

test('starts a run on the named host, and on this one without a name', async () => {
  const { ask } = await given();
  const start = { repo: '/r', template: 'quick-change@1', requirements: 'x' };
  expect(await ask('run.start', { ...start, host: 'far' })).toMatchObject({ runId: 'far' });
  expect(await ask('run.start', { ...start, host: 'near' })).toMatchObject({ runId: 'near' });
  expect(await ask('run.start', start)).toMatchObject({ runId: 'near' });
  await expect(ask('run.start', { ...start, host: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
});

test('refuses to apply a run of another host, and says where it is', async () => {
  const { run, ask, asked } = await given();
  await expect(ask('run.apply', { runId: run.id })).rejects.toMatchObject({
    code: 'run_elsewhere',
    message: expect.stringContaining('host far'),
  });
  expect(asked).toEqual([]);
});

test('a host that fell silent is named at once; what the database knows is still answered', async () => {
  const { run, ask, asked, decided, silence } = await given();
  await silence('far');
  const sessionId = run.sessions[0]?.id as string;
  await expect(ask('session.probe', { sessionId })).rejects.toMatchObject({
    code: 'host_unreachable',
    message: expect.stringMatching(/^Host far does not answer: silent for 1m 0\ds\.$/),
  });
  const approvalId = run.approvals[0]?.id as string;
  expect(await ask('approval.get', { approvalId })).toMatchObject({ id: approvalId });
  await ask('approval.decide', { approvalId, action: 'abort', clientToken: run.id });
  expect(decided).toEqual(['near abort']);
  expect(asked).toEqual([]);
  const [listed] = await ask('run.list', {});
  expect(listed).toMatchObject({ host: 'far', alsoWaitsFor: [expect.stringMatching(/^host far: silent for 1m/)] });
});

test('while Temporal is away, blames it and not the host, and decides what needs no other disk', async () => {
  const { run, ask, decided, loseTemporal } = await given();
  const approvalId = run.approvals[0]?.id as string;
  const [sessionId = '', clientToken] = [run.sessions[0]?.id, run.id];
  loseTemporal();
  const blame = { code: 'temporal_unreachable', message: 'Host far cannot be asked: Temporal does not answer.' };
  await expect(ask('session.probe', { sessionId })).rejects.toMatchObject(blame);
  await expect(ask('approval.decide', { approvalId, action: 'approve', clientToken })).rejects.toMatchObject(blame);
  expect(await ask('approval.get', { approvalId })).toMatchObject({ id: approvalId });
  await ask('approval.decide', { approvalId, action: 'reject', clientToken });
  expect(decided).toEqual(['near reject']);
  const [listed] = await ask('run.list', {});
  expect(listed).toMatchObject({ waitsForPerson: true, alsoWaitsFor: ['Temporal since 2026-01-02T03:04:05.000Z'] });
  expect(await ask('host.list', {})).toMatchObject([
    { id: 'far', state: 'ready' },
    { id: 'near', state: 'waiting' },
  ]);
  expect(await ask('daemon.status', {})).toMatchObject({ temporal: { away: { reason: 'does not answer' } } });
});

test('says of a run that was started while Temporal is away that it begins later', async () => {
  const { ask, loseTemporal } = await given({ host: 'near' });
  loseTemporal();
  const started = await ask('run.start', { repo: '/r', template: 't@1', requirements: 'R.' } as RpcParams<'run.start'>);
  expect(started).toMatchObject({ warnings: [expect.stringMatching(/^The run begins once Temporal is back\. /)] });
});

test('shows the host of a run if there are several, or if it is not this one', async () => {
  const { run, ask, forget } = await given({ host: 'near' });
  const shown = async () => [(await ask('run.list', {}))[0]?.host, (await ask('run.get', { runId: run.id })).host];
  expect(await shown()).toEqual(['near', 'near']);
  await forget('far');
  expect(await shown()).toEqual([undefined, undefined]);
});

test('shows a host that has left the list', async () => {
  const { ask, forget } = await given();
  await forget('far');
  expect((await ask('run.list', {}))[0]).toMatchObject({ host: 'far' });
});

test('lists the hosts and how many open runs each has', async () => {
  const { ask, silence } = await given();
  await silence('far');
  expect(await ask('host.list', {})).toEqual([
    expect.objectContaining({ id: 'far', state: 'silent', here: false, runs: 1, machine: 'n' }),
    expect.objectContaining({ id: 'near', state: 'ready', here: true, runs: 0 }),
  ]);
  expect(await ask('daemon.status', {})).toMatchObject({
    hosts: [
      { id: 'far', state: 'silent', here: false },
      { id: 'near', state: 'ready', here: true },
    ],
  });
});

test('says which runs a forgotten host takes with it, and aborts them', async () => {
  const { run, ask, silence } = await given();
  await expect(ask('host.forget', { host: 'far' })).rejects.toMatchObject({ code: 'state_conflict' });
  await expect(ask('host.forget', { host: 'near' })).rejects.toMatchObject({ code: 'state_conflict' });
  await expect(ask('host.forget', { host: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
  await silence('far');
  const found = { host: 'far', trouble: expect.stringMatching(/^silent for 1m/), runs: [{ runId: run.id }] };
  expect(await ask('host.forget', { host: 'far', dryRun: true })).toMatchObject({ ...found, forgotten: false });
  expect((await ask('host.list', {})).map(({ id }) => id)).toEqual(['far', 'near']);
  expect(await ask('host.forget', { host: 'far' })).toMatchObject({ ...found, forgotten: true });
  expect((await ask('host.list', {})).map(({ id }) => id)).toEqual(['near']);
  await expect(ask('host.forget', { host: 'far' })).rejects.toMatchObject({ code: 'not_found' });
  // What the database has can still be read.
  const approvalId = run.approvals[0]?.id as string;
  expect(await ask('approval.get', { approvalId })).toMatchObject({ id: approvalId });
  await expect(ask('session.probe', { sessionId: run.sessions[0]?.id as string })).rejects.toMatchObject({
    code: 'host_unreachable',
    message: expect.stringMatching(/^Host far was forgotten/),
  });
});

test('answers to other hosts only what is declared for them', async () => {
  const answer = createAnswerHost({} as Handlers, { error() {} });
  for (const method of ['daemon.stop', 'run.pause', 'run.apply', 'no.such']) {
    expect(await answer(method, {})).toMatchObject({ error: { code: -32601 } });
  }
  expect(await answer('run.diff', { runId: 1 })).toMatchObject({ error: { code: -32602 } });
});
