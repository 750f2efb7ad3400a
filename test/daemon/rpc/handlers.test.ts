import { describe, expect, it } from 'vitest';
import { createDispatch } from '../../../daemon/rpc/dispatch.ts';
import { HANDLERS } from '../../../daemon/rpc/handlers/index.ts';
import type { HandlerContext } from '../../../daemon/rpc/ports.ts';
import { routesOf } from '../../../daemon/rpc/start.ts';
import { METHODS } from '../../../schemas/rpc/methods/index.ts';

/** A context in which every port answers with its own name and arguments. */
function echoing(): { context: HandlerContext; after: (() => void)[]; called: string[] } {
  const after: (() => void)[] = [];
  const called: string[] = [];
  const port = (name: string, own: Record<string, unknown> = {}) =>
    new Proxy(own, {
      get: (_target, member: string) =>
        own[member] ??
        ((...args: unknown[]) => {
          called.push(`${name}.${member}`);
          return { port: `${name}.${member}`, args };
        }),
    });
  const reads = port('reads', {
    resolveRun: async (ref: string) => `run-${ref}`,
    resolveSession: async (ref: string) => `session-${ref}`,
    resolveApproval: async (ref: string) => ({ approvalId: `approval-${ref}`, runId: 'run-1' }),
  });
  const names = ['engine', 'definitions', 'sessions', 'policy', 'doctor', 'reports', 'verify', 'cleanup'];
  const ports = Object.fromEntries(names.map((name) => [name, port(name)]));
  const daemon = port('daemon', { pid: 7, version: '0.0.1' });
  const call = { afterReply: (action: () => void) => after.push(action) };
  return { context: { ...ports, reads, daemon, call } as unknown as HandlerContext, after, called };
}

const dispatch = createDispatch(routesOf(HANDLERS), { error: () => {} });

async function ask(method: string, params: unknown, world = echoing()) {
  const reply = await dispatch(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), world.context);
  return JSON.parse(reply ?? 'null');
}

describe('handlers', () => {
  it('are there for every method and for nothing else', () => {
    expect(Object.keys(HANDLERS).sort()).toEqual(METHODS.map((method) => method.name).sort());
  });

  it('resolve prefixes before they ask', async () => {
    const { result } = await ask('run.events', { runId: 'ab' });
    expect(result).toEqual({ port: 'reads.readEvents', args: ['run-ab', 0, 500] });
  });

  it('join the choices of a person for each role into overrides', async () => {
    const params = {
      repo: '/r',
      template: 'development',
      requirements: 'x',
      bind: { planner: 'p@1' },
      backend: { planner: 'fake', implementer: 'codex' },
    };
    const { result } = await ask('run.start', params);
    const overrides = { planner: { persona: 'p@1', backend: 'fake' }, implementer: { backend: 'codex' } };
    const request = { repo: '/r', template: 'development', requirements: 'x', overrides, parallel: false };
    expect(result).toEqual({ port: 'engine.startRun', args: [request] });
    expect((await ask('run.start', { ...params, dryRun: true })).result.port).toBe('engine.previewRun');
  });

  it('decide with the whole ids', async () => {
    const clientToken = '7b0c4c8e-6c52-4f0e-9a4e-0d6f3f0a1b2c';
    const { result } = await ask('approval.decide', ['ab', 'approve', clientToken]);
    expect(result).toMatchObject({ approvalId: 'approval-ab', runId: 'run-1', action: 'approve' });
    expect(result.args).toEqual(['run-1', 'approval-ab', 'approve', clientToken, null]);
    expect((await ask('approval.decide', ['ab', 'pause', clientToken])).error.code).toBe(-32602);
  });

  it('stop the daemon only after the answer', async () => {
    const world = echoing();
    expect((await ask('daemon.stop', {}, world)).result).toEqual({ stopping: true, pid: 7 });
    expect(world.called).toEqual([]);
    for (const action of world.after) action();
    expect(world.called).toEqual(['daemon.stop']);
  });

  it('describe themselves', async () => {
    expect((await ask('rpc.discover', undefined)).result).toMatchObject({ info: { version: '0.0.1' } });
  });
});
