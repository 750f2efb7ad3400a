import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDispatch, MAX_BATCH, type Route } from '../../../daemon/rpc/dispatch.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { defineMethod } from '../../../schemas/rpc/contract.ts';
import { MAX_FRAME_BYTES } from '../../../schemas/rpc/framing.ts';

const logged: { facts: Record<string, unknown>; message: string }[] = [];
const log = { error: (facts: Record<string, unknown>, message: string) => void logged.push({ facts, message }) };

function route(name: string, params: z.ZodObject, handle: (params: never) => unknown) {
  const method = defineMethod({
    name,
    summary: '',
    params,
    result: z.unknown(),
    changes: 'nothing',
    caller: 'anyone',
  });
  return [name, { method, handle }] as [string, Route<null>];
}

const Numbers = z.strictObject({ minuend: z.number(), subtrahend: z.number().default(0) });
const dispatch = createDispatch<null>(
  new Map([
    route('subtract', Numbers, (p: z.infer<typeof Numbers>) => p.minuend - p.subtrahend),
    route('update', z.object({ a: z.unknown(), b: z.unknown() }), () => undefined),
    route('get_data', z.strictObject({}), () => ['hello', 5]),
    route('conflict', z.strictObject({}), () => {
      throw new DevflowError('state_conflict', 'it is over', { runId: 'r1', data: { currentState: 'failed' } });
    }),
    route('defect', z.strictObject({}), async () => {
      throw new TypeError('secret detail');
    }),
    route('refused', z.strictObject({}), async () => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open', path: '/x' });
    }),
    route('damage', z.strictObject({}), async () => {
      const cause = Object.assign(new Error('invalid page in block 0'), { code: 'XX001', severity: 'ERROR' });
      throw new Error('Failed query: select secret', { cause });
    }),
    route('lost', z.strictObject({}), async () => {
      throw new Error('Failed query: select secret', { cause: new Error('Connection terminated unexpectedly') });
    }),
    route('broken', z.strictObject({}), async () => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
    }),
    route('huge', z.strictObject({}), () => 'x'.repeat(MAX_FRAME_BYTES)),
    route('bigint', z.strictObject({}), () => 1n),
  ]),
  log,
);
const ask = async (message: unknown) => {
  const reply = await dispatch(typeof message === 'string' ? message : JSON.stringify(message), null);
  return reply === undefined ? undefined : JSON.parse(reply);
};
const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', method, params, id });
const failed = (id: unknown, code: number) => ({ jsonrpc: '2.0', id, error: expect.objectContaining({ code }) });

describe('the examples of the JSON-RPC 2.0 specification', () => {
  it('calls with positional and named parameters', async () => {
    expect(await ask(call('subtract', [42, 23]))).toEqual({ jsonrpc: '2.0', result: 19, id: 1 });
    expect(await ask(call('subtract', [23, 42], 2))).toEqual({ jsonrpc: '2.0', result: -19, id: 2 });
    expect(await ask(call('subtract', { subtrahend: 23, minuend: 42 }, 3))).toMatchObject({ result: 19, id: 3 });
  });

  it('never answers a notification', async () => {
    expect(await ask({ jsonrpc: '2.0', method: 'update', params: [1, 2] })).toBeUndefined();
    expect(await ask({ jsonrpc: '2.0', method: 'foobar' })).toBeUndefined();
    expect(await ask({ jsonrpc: '2.0', method: 'subtract', params: { minuend: 'x' } })).toBeUndefined();
  });

  it('refuses unknown and malformed requests', async () => {
    expect(await ask(call('foobar', undefined, '1'))).toEqual(failed('1', -32601));
    expect(await ask('{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]')).toEqual(failed(null, -32700));
    expect(await ask({ jsonrpc: '2.0', method: 1, params: 'bar' })).toEqual(failed(null, -32600));
  });

  it('refuses malformed, empty and invalid batches', async () => {
    expect(await ask('[{"jsonrpc": "2.0", "method"')).toEqual(failed(null, -32700));
    expect(await ask([])).toEqual(failed(null, -32600));
    expect(await ask([1])).toEqual([failed(null, -32600)]);
    expect(await ask([1, 2, 3])).toEqual([failed(null, -32600), failed(null, -32600), failed(null, -32600)]);
  });

  it('answers a mixed batch', async () => {
    const batch = [
      call('subtract', [42, 23], '2'),
      { jsonrpc: '2.0', method: 'update', params: [7, 8] },
      { foo: 'boo' },
      call('foo.get', { name: 'myself' }, '5'),
      call('get_data', undefined, '9'),
    ];
    expect(await ask(batch)).toEqual([
      { jsonrpc: '2.0', result: 19, id: '2' },
      failed(null, -32600),
      failed('5', -32601),
      { jsonrpc: '2.0', result: ['hello', 5], id: '9' },
    ]);
    expect(await ask([{ jsonrpc: '2.0', method: 'update', params: [1, 2] }])).toBeUndefined();
  });

  it('answers id null, and refuses invalid ids', async () => {
    expect(await ask(call('get_data', undefined, null))).toEqual({ jsonrpc: '2.0', result: ['hello', 5], id: null });
    expect(await ask(call('get_data', undefined, {}))).toEqual(failed(null, -32600));
    expect(await ask(call('update', null))).toEqual(failed(null, -32600));
  });
});

describe('parameters', () => {
  it.each([
    [{}, 'invalid params of subtract: minuend: is missing (number)'],
    [{ minuend: 'x' }, 'invalid params of subtract: minuend: Invalid input: expected number, received string'],
    [{ minuend: 1, extra: 2 }, 'invalid params of subtract: Unrecognized key: "extra"'],
    [[1, 2, 3], 'invalid params of subtract: too many by position (minuend, subtrahend)'],
  ])('%j are refused with a sentence', async (params, message) => {
    expect((await ask(call('subtract', params))).error).toMatchObject({ code: -32602, message });
  });

  it('get their defaults, also for null in an array', async () => {
    expect(await ask(call('subtract', [5]))).toMatchObject({ result: 5 });
    expect(await ask(call('subtract', [5, null]))).toMatchObject({ result: 5 });
  });
});

describe('errors', () => {
  it('of devflow carry code, class, hint and facts', async () => {
    expect((await ask(call('conflict'))).error).toEqual({
      code: -32000,
      message: 'it is over',
      data: {
        code: 'state_conflict',
        class: 'fatal',
        hint: 'Look at the run: devflow run show.',
        runId: 'r1',
        currentState: 'failed',
      },
    });
  });

  it('that are unexpected are logged under a reference and reveal nothing', async () => {
    const { error } = await ask(call('defect'));
    expect(error.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(logged.at(-1)?.facts).toMatchObject({ method: 'defect', reference: error.data.reference });
  });

  it('that tell of a refused file say which, and are logged as well', async () => {
    const { error } = await ask(call('refused'));
    expect(error).toMatchObject({ code: -32000, message: 'devflow cannot use /x: permission denied (EACCES).' });
    expect(error.data).toMatchObject({
      code: 'workspace_permissions',
      hint: expect.stringMatching(/, then try again\.$/),
    });
    expect(logged.at(-1)?.facts).toMatchObject({ method: 'refused', reference: error.data.reference });
  });

  it('name damage of the database', async () => {
    const { error } = await ask(call('damage'));
    expect(error).toMatchObject({
      message: 'The database is damaged: invalid page in block 0.',
      data: { code: 'db_damaged', hint: expect.stringContaining('devflow down') },
    });
    expect(logged.at(-1)?.facts).toMatchObject({ method: 'damage' });
  });

  it('say that the database went away', async () => {
    const { error } = await ask(call('lost'));
    expect(error).toMatchObject({
      code: -32000,
      message: 'The database cannot be reached: Connection terminated unexpectedly.',
      data: { code: 'db_unreachable', class: 'fatal', hint: expect.stringContaining('devflow doctor') },
    });
    expect(logged.at(-1)?.facts).toMatchObject({ method: 'lost', reference: error.data.reference });
    expect((await ask(call('broken'))).error.data).toMatchObject({ code: 'db_unreachable' });
  });

  it('replace a reply that is too large or not JSON', async () => {
    expect((await ask(call('huge'))).error.data).toMatchObject({ code: 'frame_too_large' });
    expect(await ask(call('bigint', {}, 7))).toEqual(failed(7, -32603));
  });

  it('answer a batch that is too long', async () => {
    expect(await ask(new Array(MAX_BATCH + 1).fill(1))).toEqual(failed(null, -32600));
  });
});
