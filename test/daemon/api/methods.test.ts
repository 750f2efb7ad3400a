import { describe, expect, it } from 'vitest';
import type { Ids } from '../../../daemon/api/lookup/ids.ts';
import { type ApiParts, createMethods } from '../../../daemon/api/methods.ts';
import { createDispatch } from '../../../daemon/rpc/dispatch.ts';
import type { Call } from '../../../daemon/rpc/peer.ts';
import { routesOf } from '../../../daemon/rpc/start.ts';
import { METHODS } from '../../../schemas/rpc/methods/index.ts';

/** Methods over parts that answer with their own name and arguments. */
function echoing() {
  const after: (() => void)[] = [];
  const called: string[] = [];
  const part = (name: string, own: Record<string, unknown> = {}) =>
    new Proxy(own, {
      get: (_target, member: string) =>
        own[member] ??
        ((...args: unknown[]) => {
          called.push(`${name}.${member}`);
          return { part: `${name}.${member}`, args };
        }),
    });
  const ids: Ids = {
    run: async (ref) => `run-${ref}`,
    session: async (ref) => `session-${ref}`,
    artifact: async (ref) => `artifact-${ref}`,
    schedule: async (ref) => `schedule-${ref}`,
    approval: async (ref) => ({ approvalId: `approval-${ref}`, runId: 'run-1' }),
  };
  const starter = part('starter', {
    preview: async () => ({ request: {}, template: { name: 't', version: 1, phases: [] }, bindings: [], notes: {} }),
  });
  const methods = createMethods({
    ids,
    here: { id: 'here', shared: false, unpinned: 'here' },
    starter,
    engine: part('engine'),
    runPlaces: { queue: () => [] },
    runLog: part('runLog'),
    lists: part('lists'),
    definitions: part('definitions'),
    manager: part('manager'),
    tries: part('tries'),
    contracts: part('contracts'),
    repositories: { settings: part('settings'), paths: {}, initRepository: async () => ({}) },
    config: { backends: {} },
    database: {},
    daemon: { version: '0.0.1', stop: () => called.push('daemon.stop') },
  } as unknown as ApiParts);
  const call = { afterReply: (action: () => void) => after.push(action) } as unknown as Call;
  return { methods, call, after, called };
}

async function ask(method: string, params: unknown, { methods, call } = echoing()) {
  const dispatch = createDispatch(routesOf(methods), { error: () => {} });
  const reply = await dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), call);
  return JSON.parse(reply ?? 'null');
}

describe('the methods', () => {
  it('are all there, and no other', () => {
    expect(Object.keys(echoing().methods).sort()).toEqual(METHODS.map((method) => method.name).sort());
  });

  it('resolve prefixes before they ask', async () => {
    const { result } = await ask('run.events', { runId: 'ab' });
    expect(result).toEqual({ part: 'runLog.readEvents', args: ['run-ab', 0, 500] });
  });

  it("join a person's choices for each role into overrides", async () => {
    const params = {
      repo: '/r',
      template: 'development',
      requirements: 'x',
      bind: { planner: 'p@1' },
      backend: { planner: 'fake', implementer: 'codex' },
    };
    const { result } = await ask('run.start', params);
    const overrides = { planner: { persona: 'p@1', backend: 'fake' }, implementer: { backend: 'codex' } };
    const rest = { draftArtifacts: [], draftPersonas: [], allowSetup: false, settings: true };
    const request = { repo: '/r', template: 'development', requirements: 'x', overrides, parallel: false, ...rest };
    expect(result).toEqual({ part: 'starter.startRun', args: [request] });
    expect((await ask('run.start', { ...params, dryRun: true })).result).toMatchObject({
      dryRun: true,
      template: 't@1',
    });
  });

  it('decide with whole ids', async () => {
    const clientToken = '7b0c4c8e-6c52-4f0e-9a4e-0d6f3f0a1b2c';
    const { result } = await ask('approval.decide', ['ab', 'approve', clientToken]);
    expect(result).toMatchObject({ approvalId: 'approval-ab', runId: 'run-1', action: 'approve' });
    expect(result.args).toEqual(['run-1', 'approval-ab', 'approve', clientToken, null, null]);
    expect((await ask('approval.decide', ['ab', 'pause', clientToken])).error.code).toBe(-32602);
  });

  it('stop the daemon only after the answer', async () => {
    const world = echoing();
    expect((await ask('daemon.stop', {}, world)).result).toEqual({ stopping: true, pid: process.pid });
    expect(world.called).toEqual([]);
    for (const action of world.after) action();
    expect(world.called).toEqual(['daemon.stop']);
  });

  it('describe themselves', async () => {
    expect((await ask('rpc.discover', undefined)).result).toMatchObject({ info: { version: '0.0.1' } });
  });
});
