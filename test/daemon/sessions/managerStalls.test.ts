import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type {
  AgentStall,
  AttachPoint,
  SessionAdapter,
  SessionHandle,
  StallListener,
  StartInput,
} from '../../../daemon/sessions/contract/adapter.ts';
import { FakeSessionAdapter } from '../../../daemon/sessions/fake/fake.ts';
import { createSessionManager } from '../../../daemon/sessions/manager.ts';
import type { Transcripts } from '../../../daemon/sessions/transcript/transcript.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { eventually } from '../../helpers/eventually.ts';
import { RUN_ID, sessionPlace } from '../../helpers/fakeSession.ts';

const letGo = () => new DevflowError('shutting_down', 'The agent was let go.');

/** The fake, as an adapter that can wait for a person: what hangs ends with `dispose` or `release`, and says so. */
function patient(fake: FakeSessionAdapter, sessionId: string, hangs: readonly ('start' | 'sendPrompt')[]) {
  const listeners = new Set<StallListener>();
  let current: AgentStall | undefined;
  const under: { how: string; end(): void }[] = [];
  const disposed: SessionHandle[] = [];
  const hang = (how: string) => new Promise<never>((_, reject) => under.push({ how, end: () => reject(letGo()) }));
  const endAll = () => {
    for (const { end } of under.splice(0)) end();
  };
  const adapter: SessionAdapter = {
    start: (input) => (hangs.includes('start') ? hang('start') : fake.start(input)),
    sendPrompt: (handle, envelope) =>
      hangs.includes('sendPrompt') ? hang('sendPrompt') : fake.sendPrompt(handle, envelope),
    probe: (handle) => fake.probe(handle),
    resume: (handle) => fake.resume(handle),
    rebootstrap: (handle) => fake.rebootstrap(handle),
    capture: (handle, from) => fake.capture(handle, from),
    onExit: (handle, listener) =>
      fake.onExit(handle, (exit) => {
        current = undefined;
        listener(exit);
      }),
    stallOf: () => current,
    onStall: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async release(handle) {
      endAll();
      await fake.release(handle);
    },
    async dispose(handle) {
      disposed.push(handle);
      endAll();
      await fake.dispose(handle);
    },
  };
  const stall = (next: AgentStall | undefined) => {
    current = next;
    for (const listener of listeners) listener(sessionId, next);
  };
  return { adapter, listeners, under, disposed, stall };
}

async function managed(hangs: readonly ('start' | 'sendPrompt')[] = []) {
  const place = await sessionPlace();
  const fake = patient(
    new FakeSessionAdapter({ fixturesDir: place.fixturesDir, delayMs: 1 }),
    place.input.sessionId,
    hangs,
  );
  const transcripts: Transcripts = {
    write: async () => {},
    resume: async () => 0n,
    flush: async () => {},
    drop: () => {},
    watched: () => {},
  };
  /** As they were noted for others. */
  const panes: (string | undefined)[] = [];
  const manager = createSessionManager({
    adapters: { fake: fake.adapter },
    transcripts,
    retryDelaysMs: [1, 1],
    store: { saveAttachment: async (_, { tmuxPane }) => void panes.push(tmuxPane) },
    log: { warn: vi.fn(), debug: vi.fn() },
    sessionDirOf: () => place.input.sessionDir,
  });
  onTestFinished(() => manager.disposeRun(RUN_ID));
  const told: [string, AgentStall | undefined][] = [];
  manager.onStall((...facts) => void told.push(facts));
  return { ...place, ...fake, id: place.input.sessionId, manager, told, panes };
}

const PERMISSION: AgentStall = { cause: 'permission', detail: 'permission for Bash' };

describe('the stall of an agent', () => {
  test('reports each change, and why shows it until it is over', async () => {
    const { manager, input, id, stall, told } = await managed();
    await manager.start(input);
    stall(undefined);
    stall(PERMISSION);
    expect(manager.stallOf(id)).toEqual(PERMISSION);
    expect(await manager.why(id)).toMatchObject({
      verdict: 'waiting',
      rule: expect.stringMatching(/; it waits: permission: permission for Bash$/),
    });
    const until = new Date('2026-01-01T10:00:00Z');
    stall({ cause: 'quota', detail: 'limit reached', until });
    expect(await manager.why(id)).toMatchObject({ verdict: 'quota', rule: expect.stringContaining('2026-01-01T10') });
    stall({ cause: 'idle', detail: 'its turn has ended' });
    expect(await manager.why(id)).toMatchObject({ verdict: 'ready', rule: expect.not.stringContaining('it waits') });
    stall(undefined);
    expect(told.map(([sessionId, each]) => [sessionId, each?.cause])).toEqual(
      [undefined, 'permission', 'quota', 'idle', undefined].map((cause) => [id, cause]),
    );
    const why = await manager.why(id);
    expect(why.verdict).toBe('ready');
    expect(why.signals.filter(({ source }) => source === 'stall')).toHaveLength(4);
  });

  test('lists a stall once, though the adapter lists it too', async () => {
    const { manager, input, id, stall, adapter } = await managed();
    await manager.start(input);
    stall(PERMISSION);
    const fact = 'permission: permission for Bash';
    Object.assign(adapter, { explain: async () => [{ at: new Date(), source: 'stall', fact }] });
    const { signals, verdict } = await manager.why(id);
    expect(verdict).toBe('waiting');
    expect(signals.filter(({ source }) => source === 'stall')).toEqual([expect.objectContaining({ fact })]);
  });

  test('reports a stall during the start', async () => {
    const { manager, input, id, stall, under, told } = await managed(['start']);
    const starting = manager.start(input);
    const refused = expect(starting).rejects.toMatchObject({ code: 'shutting_down' });
    await eventually(() => expect(under).toHaveLength(1));
    stall({ cause: 'login', detail: 'it is not logged in' });
    expect(told).toEqual([[id, expect.objectContaining({ cause: 'login' })]]);
    expect(await manager.why(id)).toMatchObject({ verdict: 'login' });
    await manager.disposeRun(RUN_ID);
    await refused;
  });

  test('waits until an agent adopted during its start is ready', async () => {
    const { manager, input, adapter } = await managed();
    await manager.start(input);
    const starts = vi.spyOn(adapter, 'start');
    await manager.ensure(input);
    expect(starts).not.toHaveBeenCalled();
    await manager.start(input);
    expect(starts).toHaveBeenCalledTimes(1);
  });

  test('stops listening at shutdown', async () => {
    const { manager, input, id, stall, listeners } = await managed();
    await manager.start(input);
    stall(PERMISSION);
    await manager.shutdown({ deadlineMs: 1_000 });
    expect(listeners.size).toBe(0);
    expect(manager.stallOf(id)).toBe(undefined);
  });

  test('reports stalls until the sessions are released at a shutdown', async () => {
    const { manager, input, id, envelope, stall, told, under } = await managed(['sendPrompt']);
    await manager.start(input);
    const refused = expect(manager.sendPrompt(id, envelope())).rejects.toMatchObject({ code: 'shutting_down' });
    await eventually(() => expect(under).toHaveLength(1));
    const stopping = manager.shutdown({ deadlineMs: 5_000 });
    stall(PERMISSION);
    expect(told).toEqual([[id, PERMISSION]]);
    await stopping;
    await refused;
  });

  test('gives the stall of a restarted agent during its recovery', async () => {
    const { manager, input, id, envelope, stall, adapter } = await managed();
    await manager.start(input);
    const lost = new Promise((resolve) => manager.onLost(resolve));
    await manager.sendPrompt(id, envelope({ instructions: 'Scenario: exit' }));
    await lost;
    const resume = adapter.resume.bind(adapter);
    const seen: (AgentStall | undefined)[] = [];
    Object.assign(adapter, {
      resume: async (handle: SessionHandle) => {
        stall(PERMISSION);
        seen.push(manager.stallOf(id));
        return resume(handle);
      },
    });
    await manager.recover(id, 'resume');
    expect(seen).toEqual([PERMISSION]);
  });

  test('lists the end of a stall that a recovery ended', async () => {
    const { manager, input, id, stall } = await managed();
    await manager.start(input);
    stall({ cause: 'hung', detail: 'no output' });
    await manager.recover(id, 'resume');
    stall(undefined);
    const { signals } = await manager.why(id);
    expect(signals.filter(({ source }) => source === 'stall').map(({ fact }) => fact)).toEqual([
      'hung: no output',
      'over',
    ]);
  });

  test('forgets the stall when the agent ends', async () => {
    const { manager, input, id, envelope, stall } = await managed();
    await manager.start(input);
    stall(PERMISSION);
    const lost = new Promise((resolve) => manager.onLost(resolve));
    await manager.sendPrompt(id, envelope({ instructions: 'Scenario: exit' }));
    await lost;
    expect(manager.stallOf(id)).toBe(undefined);
    expect(await manager.why(id)).toMatchObject({ verdict: 'lost' });
  });
});

describe('disposing of a run ends work that waits for a person', () => {
  test('ends a delivery once, with the deliveries behind it', async () => {
    const { manager, input, id, envelope, under, disposed } = await managed(['sendPrompt']);
    await manager.start(input);
    const sending = [1, 2].map(() => manager.sendPrompt(id, envelope()));
    const refused = sending.map((each) => expect(each).rejects.toMatchObject({ code: 'shutting_down' }));
    await eventually(() => expect(under).toHaveLength(1));
    await Promise.all([manager.disposeRun(RUN_ID), manager.disposeRun(RUN_ID)]);
    await Promise.all(refused);
    expect(disposed).toEqual([expect.objectContaining({ sessionId: id })]);
    expect(await manager.why(id)).toMatchObject({ verdict: 'unknown', signals: [] });
  });

  test('names the records of agents that this daemon does not hold', async () => {
    const { manager, input, id, disposed } = await managed();
    await manager.disposeRun(RUN_ID, [{ sessionId: id, backend: 'fake' }]);
    expect(disposed).toEqual([{ sessionId: id, sessionDir: input.sessionDir }]);
  });

  test('can start the session again afterwards', async () => {
    const { manager, input, id } = await managed();
    await manager.start(input);
    await manager.disposeRun(RUN_ID);
    expect(await manager.start(input)).toEqual({ sessionId: id });
  });
});

describe('the recorded pane of an agent', () => {
  const POINT = { binary: 'tmux', socket: '/s', session: '$1', window: '@1', paneId: '%1' };
  async function inPane() {
    const all = await managed();
    const start = all.adapter.start.bind(all.adapter);
    Object.assign(all.adapter, { start: async (input: StartInput) => ({ ...(await start(input)), tmuxPane: '%1' }) });
    const shows = (point: AttachPoint | undefined) => Object.assign(all.adapter, { attachPoint: async () => point });
    shows(POINT);
    await all.manager.start(all.input);
    const die = async () => {
      const lost = new Promise((resolve) => all.manager.onLost(resolve));
      await all.manager.sendPrompt(all.id, all.envelope({ instructions: 'Scenario: exit' }));
      await lost;
    };
    return { ...all, shows, die };
  }

  test('stays while it holds the dead agent, and is cleared when the run ends', async () => {
    const { manager, panes, shows, die, input } = await inPane();
    await die();
    await manager.start(input);
    expect(panes).toEqual(['%1', '%1']);
    shows(undefined);
    await manager.disposeRun(RUN_ID);
    expect(panes).toEqual(['%1', '%1', undefined]);
  });

  test('is cleared when its server ends', async () => {
    const { panes, shows, die } = await inPane();
    shows(undefined);
    await die();
    await eventually(() => expect(panes).toEqual(['%1', undefined]));
  });

  test('is cleared when the next daemon does not find it', async () => {
    const { manager, input, panes } = await managed();
    await expect(manager.ensure(input)).rejects.toMatchObject({ code: 'pane_briefly_unresponsive' });
    expect(panes).toEqual([undefined]);
  });
});
