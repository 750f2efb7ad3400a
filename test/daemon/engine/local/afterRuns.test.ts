import { expect, it, vi } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createAfterRuns } from '../../../../daemon/engine/local/afterRuns.ts';
import { commitOf } from '../../../../daemon/engine/local/commitOf.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { given } from '../../core/support/given.ts';
import { silent } from './support/performing.ts';

const { run } = given({});
const waits = { after: run.id, rank: null };
const end = { seq: 9, type: 'run.completed', runId: run.id } as RunEvent;

function following(first: Partial<Run> | undefined) {
  const bus = createBus();
  let now = first && { ...run, ...first };
  let changes = 0;
  const readRun = vi.fn(async () => now);
  const after = createAfterRuns({ readRun, bus, log: silent });
  after.onChange(() => {
    changes += 1;
  });
  return {
    after,
    readRun,
    changes: () => changes,
    becomes(next: Partial<Run>) {
      now = { ...run, ...next };
      bus.publish(commitOf(undefined, { run: now, events: [end] }));
    },
  };
}

it.each<[string, Partial<Run> | undefined, string]>([
  ['at work', { state: 'executing' }, 'open'],
  ['completed', { state: 'completed' }, 'done'],
  ['failed', { state: 'failed' }, 'failed'],
  ['aborted, but applied', { state: 'aborted', applied: [{} as Run['applied'][number]] }, 'done'],
  ['in no log', undefined, 'gone'],
])('reads a run that is %s once', async (_, state, expected) => {
  const { after, readRun } = following(state);
  expect(after.stateOf(waits)).toBe('open');
  await expect.poll(() => after.stateOf(waits)).toBe(expected);
  expect(readRun).toHaveBeenCalledOnce();
});

it('hears of the end and of a later apply, and says so', async () => {
  const { after, becomes, changes } = following({ state: 'executing' });
  expect(after.stateOf(waits)).toBe('open');
  becomes({ state: 'failed' });
  await expect.poll(() => after.stateOf(waits)).toBe('failed');
  becomes({ state: 'failed', applied: [{} as Run['applied'][number]] });
  await expect.poll(() => after.stateOf(waits)).toBe('done');
  expect(changes()).toBe(2);
});

it('waits for nothing where there is no other run, or a person released it', () => {
  const { after, readRun } = following({ state: 'failed' });
  expect(after.stateOf({ after: null, rank: null })).toBe('done');
  expect(after.stateOf({ ...waits, rank: { nth: 1, rank: 'a', isReleased: true } })).toBe('done');
  expect(readRun).not.toHaveBeenCalled();
});

it('counts a run that could not be read as open', async () => {
  const bus = createBus();
  const warn = vi.fn();
  const after = createAfterRuns({ readRun: () => Promise.reject(new Error('no database')), bus, log: { warn } });
  after.stateOf(waits);
  await expect.poll(() => warn.mock.calls.length).toBe(1);
  expect(after.stateOf(waits)).toBe('open');
});
