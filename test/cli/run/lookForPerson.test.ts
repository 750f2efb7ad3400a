import { describe, expect, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { lookAtAny, lookAtRun } from '../../../cli/run/lookForPerson.ts';
import type { NotificationParams } from '../../../schemas/rpc/notifications.ts';

type Known = Record<string, { state: string; waitsForPerson?: boolean }>;

function daemonWith(runs: Known): Pick<Client, 'call' | 'request'> {
  const view = (runId: string) => ({ runId, waitsForPerson: false, ...runs[runId] });
  return {
    call: async () => Object.keys(runs).map(view),
    request: async (_method: string, { runId }: { runId: string }) => view(runId),
  } as unknown as Pick<Client, 'call' | 'request'>;
}

const moved = (runId: string, state: string) =>
  ({ event: 'run.state_changed', data: { runId, state, currentPhase: null } }) as unknown as NotificationParams;

describe('one run', () => {
  test.each([
    ['executing', false, false],
    ['executing', true, true],
    ['paused', true, true],
    ['completed', false, true],
    ['failed', false, true],
    ['aborted', false, true],
  ])('%s, with a person needed: %s, ends the wait: %s', async (state, waitsForPerson, ends) => {
    const found = await lookAtRun('a').look(daemonWith({ a: { state, waitsForPerson } }));
    expect(found !== undefined).toBe(ends);
  });

  test('concerns its own changes, and those of the engine', () => {
    const { concerns } = lookAtRun('a');
    expect(concerns(moved('a', 'failed'))).toBe(true);
    expect(concerns(moved('b', 'failed'))).toBe(false);
    expect(concerns({ event: 'engine.changed', data: {} } as unknown as NotificationParams)).toBe(true);
  });
});

describe('any run', () => {
  test('is found once it needs a person', async () => {
    const { look } = lookAtAny();
    expect(await look(daemonWith({ a: { state: 'planning' }, b: { state: 'executing' } }))).toBeUndefined();
    const now = daemonWith({ a: { state: 'planning' }, b: { state: 'awaiting_approval', waitsForPerson: true } });
    expect(await look(now)).toMatchObject({ runId: 'b' });
  });

  test('is found once it has ended, and not if it had ended before', async () => {
    const { look } = lookAtAny();
    const before = { old: { state: 'failed' }, a: { state: 'planning' } };
    expect(await look(daemonWith(before))).toBeUndefined();
    expect(await look(daemonWith({ ...before, a: { state: 'aborted' } }))).toMatchObject({ runId: 'a' });
  });

  test('is found if it began and ended between two looks', async () => {
    const { look, concerns } = lookAtAny();
    expect(await look(daemonWith({ a: { state: 'planning' } }))).toBeUndefined();
    expect(concerns(moved('b', 'created'))).toBe(true);
    expect(concerns(moved('b', 'completed'))).toBe(true);
    const now = daemonWith({ a: { state: 'planning' }, b: { state: 'completed' } });
    expect(await look(now)).toMatchObject({ runId: 'b' });
  });

  test('is not a run that ended long ago and is applied now', async () => {
    const { look, concerns } = lookAtAny();
    const runs = { old: { state: 'completed' }, a: { state: 'planning' } };
    expect(await look(daemonWith(runs))).toBeUndefined();
    concerns(moved('old', 'completed'));
    expect(await look(daemonWith(runs))).toBeUndefined();
  });

  test('must be open at the beginning, and need not later', async () => {
    await expect(lookAtAny().look(daemonWith({ a: { state: 'failed' } }))).rejects.toMatchObject({ code: 'not_found' });
    const { look } = lookAtAny();
    expect(await look(daemonWith({ a: { state: 'planning' } }))).toBeUndefined();
    expect(await look(daemonWith({ a: { state: 'completed' } }))).toMatchObject({ runId: 'a' });
  });
});
