import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { createAdvance } from '../../../../daemon/engine/local/advance.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { bound, given, invalid, pause, resume, sent, started } from '../../core/support/given.ts';
import { givenPerform, quiet, silent } from './support/performing.ts';

const starting = given({}, bound);
const paused = starting.on(pause);
const resumed = paused.on(resume);

function givenAdvance(agentSlots = createAgentSlots(4, createBus())) {
  const performing = givenPerform();
  let granted = 0;
  const outcomes: (Outcome | undefined)[] = [];
  const advance = createAdvance({
    perform: performing.perform,
    slots: agentSlots.forRun(starting.run.id, () => {
      granted += 1;
    }),
    log: silent,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { ...performing, advance, outcomes, agentSlots, granted: () => granted };
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

describe('with no free agent slot', () => {
  /** Another run has the only slot. */
  function givenFull() {
    const agentSlots = createAgentSlots(1, createBus());
    const other = agentSlots.forRun('other', () => {});
    other.request([{ sessionId: 'busy', isAtWork: true }]);
    return { ...givenAdvance(agentSlots), freeSlot: () => other.request([]) };
  }

  test('starts no agent until it gets a slot', () => {
    const { advance, types, agentSlots, granted, freeSlot } = givenFull();
    advance.to(starting.run);
    expect([types(), advance.busy()]).toEqual([[], false]);
    expect(agentSlots.listWaiting(starting.run.id)).toEqual([starting.run.sessions[0]?.id]);
    freeSlot();
    expect(granted()).toBe(1);
    advance.to(starting.run);
    expect(types()).toEqual(['startSession']);
  });

  test('awaits the artifact of an agent that works already, and resends its prompt only with a slot', () => {
    const { advance, types, agentSlots, freeSlot } = givenFull();
    const working = starting.on(started, sent);
    advance.to(working.run);
    expect(types()).toEqual(['awaitArtifact']);
    expect(agentSlots.counts()).toEqual({ atWork: 2, waiting: 0, limit: 1 });
    const invalidated = working.on(invalid);
    advance.to(invalidated.run);
    expect(types()).toEqual(['awaitArtifact']);
    expect(agentSlots.counts()).toEqual({ atWork: 1, waiting: 1, limit: 1 });
    freeSlot();
    advance.to(invalidated.run);
    expect(types()).toEqual(['awaitArtifact', 'sendPrompt']);
  });

  test('no longer waits once the run is paused or has stopped', async () => {
    const { advance, agentSlots } = givenFull();
    advance.to(starting.run);
    advance.to(paused.run);
    expect(agentSlots.counts().waiting).toBe(0);
    advance.to(resumed.run);
    expect(agentSlots.counts().waiting).toBe(1);
    await advance.stop();
    expect(agentSlots.counts()).toEqual({ atWork: 1, waiting: 0, limit: 1 });
  });
});

test('gives the slot back only when the performer of an aborted start has returned', async () => {
  const { advance, begun, agentSlots } = givenAdvance();
  advance.to(starting.run);
  advance.to(paused.run);
  expect(agentSlots.counts().atWork).toBe(1);
  begun[0]?.settle();
  await quiet();
  advance.to(paused.run);
  expect(agentSlots.counts().atWork).toBe(0);
});

test('starts no effect that is held, and lets those that run report first', async () => {
  const { advance, begun, outcomes } = givenAdvance();
  advance.to(starting.run);
  const { done, release } = advance.hold(({ type }) => type === 'startSession');
  expect(begun[0]?.signal.aborted).toBe(true);
  begun[0]?.settle();
  await done;
  expect(outcomes).toEqual([undefined]);
  advance.to(starting.run);
  expect(begun).toHaveLength(1);
  release();
  advance.to(starting.run);
  expect(begun).toHaveLength(2);
});

test('holds no other effect', () => {
  const { advance, types } = givenAdvance();
  const { release } = advance.hold(({ type }) => type === 'sendMessage');
  advance.to(starting.run);
  expect(types()).toEqual(['startSession']);
  release();
});
