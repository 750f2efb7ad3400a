import { expect, test } from 'vitest';
import type { Outcome } from '../../../../daemon/engine/core/run/effect.ts';
import { createAdvance } from '../../../../daemon/engine/local/advance.ts';
import { bound, given, pause, resume } from '../core/support/given.ts';
import { givenPerform, quiet, silent } from './support/performing.ts';

const starting = given({}, bound);
const paused = starting.on(pause);
const resumed = paused.on(resume);

function givenAdvance() {
  const performing = givenPerform();
  const outcomes: (Outcome | undefined)[] = [];
  const advance = createAdvance({
    perform: performing.perform,
    log: silent,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { ...performing, advance, outcomes };
}

test('never starts a running effect twice', () => {
  const { advance, types } = givenAdvance();
  advance.to(starting.run);
  advance.to(starting.run);
  // The run has moved, and the same effect is still due.
  advance.to({ ...starting.run, lastSeq: starting.run.lastSeq + 1 });
  expect(types()).toEqual(['startSession']);
  expect(advance.busy()).toBe(true);
});

test('aborts an effect that is no longer due, and restarts it only after its performer has returned', async () => {
  const { advance, begun, outcomes } = givenAdvance();
  advance.to(starting.run);
  advance.to(paused.run);
  expect(begun[0]?.signal.aborted).toBe(true);
  advance.to(resumed.run);
  expect(begun).toHaveLength(1);
  begun[0]?.settle();
  await quiet();
  expect(outcomes).toEqual([undefined]);
  advance.to(resumed.run);
  expect(begun.map(({ effect }) => effect.key)).toEqual([begun[0]?.effect.key, begun[0]?.effect.key]);
  expect(begun[1]?.signal.aborted).toBe(false);
});

test('does not restart an effect without a result before the run changes', async () => {
  const { advance, begun } = givenAdvance();
  advance.to(starting.run);
  begun[0]?.settle();
  await quiet();
  expect(advance.busy()).toBe(false);
  advance.to(starting.run);
  expect(begun).toHaveLength(1);
  advance.to(resumed.run);
  expect(begun).toHaveLength(2);
});

test('stop aborts all effects with a reason, waits for them and ignores their outcomes', async () => {
  const { advance, begun, outcomes } = givenAdvance();
  advance.to(starting.run);
  let ended = false;
  const end = advance.stop().then(() => {
    ended = true;
  });
  expect(begun[0]?.signal.reason).toMatchObject({ code: 'shutting_down' });
  await quiet();
  expect(ended).toBe(false);
  begun[0]?.settle({ type: 'sessionReady', sessionId: 'x' });
  await end;
  expect(outcomes).toEqual([]);
  advance.to(resumed.run);
  expect(begun).toHaveLength(1);
});
