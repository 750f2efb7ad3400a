import { describe, expect, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { onlyGate, onlyRun } from '../../../cli/input/onlyOne.ts';
import { fakeIo } from '../fakeIo.ts';

const id = (nth: number) => `${nth}`.repeat(8).concat('-0000-4000-8000-000000000001');
const AT = '2026-01-01T00:00:00.000Z';

const run = (nth: number, state = 'awaiting_approval') => ({
  runId: id(nth),
  title: `Greet ${nth}`,
  state,
  waitsForPerson: false,
  createdAt: AT,
});
const gate = (nth: number, given: object = {}) => ({
  ...{ id: id(nth), runId: id(1), gateKey: 'spec_approved', kind: 'gate', phaseKey: 'spec', state: 'pending' },
  ...{ laneId: null, assignment: null, runTitle: 'Greet' },
  ...given,
});

function client({ gates = [], runs = [run(1)] }: { gates?: object[]; runs?: object[] }): Client {
  const answer = (method: string, params: object = {}) => {
    if (method !== 'run.list') return gates;
    return 'repo' in params && params.repo !== '/src/thing/sub' ? [] : runs;
  };
  return { call: async (...asked: Parameters<typeof answer>) => answer(...asked) } as unknown as Client;
}

describe('a decision without an id', () => {
  test('is about the only gate that takes it', async () => {
    const question = gate(3, { kind: 'agent', gateKey: 'agent_asks' });
    expect(await onlyGate(client({ gates: [gate(2), question] }), 'approve')).toBe(id(2));
    expect(await onlyGate(client({ gates: [question] }), 'reject')).toBe(id(3));
    expect(await onlyGate(client({ gates: [gate(2)] }))).toBe(id(2));
  });

  test('takes no gate of a paused run, but a recovery gate', async () => {
    const recovery = gate(4, { kind: 'recovery', gateKey: 'recovery' });
    const paused = { gates: [gate(2), recovery], runs: [run(1, 'paused')] };
    expect(await onlyGate(client(paused), 'approve')).toBe(id(4));
  });

  test('is a usage error for none and for several, which it lists', async () => {
    await expect(onlyGate(client({}), 'approve')).rejects.toMatchObject({
      code: 'usage',
      message: 'no gate waits that takes an approval',
    });
    await expect(onlyGate(client({}))).rejects.toMatchObject({ message: 'no gate waits for a decision' });
    await expect(onlyGate(client({ gates: [gate(2), gate(3)] }), 'request_changes')).rejects.toMatchObject({
      code: 'usage',
      message:
        '2 gates take a request for changes: 22222222 (spec_approved (spec) of run 11111111: Greet), 33333333 (spec_approved (spec) of run 11111111: Greet)',
      recoveryHint: 'Name one by its id.',
      data: { ids: [id(2), id(3)] },
    });
  });

  test('lists at most ten of many', async () => {
    const gates = Array.from({ length: 12 }, (_, nth) => gate(nth % 10, { id: `${nth}`.padStart(8, '0') }));
    await expect(onlyGate(client({ gates }), 'approve')).rejects.toThrow(/^12 gates take an approval: .* and 2 more$/);
  });
});

describe('a run that is not named', () => {
  const io = fakeIo({ cwd: '/src/thing/sub' });

  test('is the only open one of this repository, else its only ended one', async () => {
    expect(await onlyRun(io, client({ runs: [run(1), run(2, 'completed')] }), 'any')).toBe(id(1));
    expect(await onlyRun(io, client({ runs: [run(2, 'completed')] }), 'any')).toBe(id(2));
    await expect(onlyRun(fakeIo({ cwd: '/src/else' }), client({}), 'any')).rejects.toThrow('no repository with a run');
    expect(await onlyRun(io, client({ runs: [run(1), run(2, 'completed')] }), 'ended')).toBe(id(2));
  });

  test('is no review if it is to be applied', async () => {
    const review = { ...run(3, 'completed'), onlyReviews: true as const };
    expect(await onlyRun(io, client({ runs: [review, run(2, 'completed')] }), 'ended')).toBe(id(2));
    await expect(onlyRun(io, client({ runs: [review] }), 'ended')).rejects.toThrow('is completed, with work to apply');
    expect(await onlyRun(io, client({ runs: [review] }), 'any')).toBe(id(3));
  });

  test('is a usage error for none and for several, which it lists', async () => {
    await expect(onlyRun(io, client({ runs: [run(1)] }), 'ended')).rejects.toMatchObject({
      code: 'usage',
      message: 'no run of /src/thing/sub is completed, with work to apply',
      recoveryHint: 'See the runs with devflow ls.',
    });
    const ended = client({ runs: [run(1, 'failed'), run(2, 'completed')] });
    expect(await onlyRun(io, ended, 'ended')).toBe(id(2));
    await expect(onlyRun(io, ended, 'any')).rejects.toThrow(
      /^2 runs of \/src\/thing\/sub fit: 11111111 \(failed, .* ago: Greet 1\), 22222222 \(completed, .* ago: Greet 2\)$/,
    );
  });
});
