import { expect, test } from 'vitest';
import { derivedId } from '../../../../schemas/ids.ts';
import { resultsOf } from '../../core/support/outcomes.ts';
import type { TemplateName } from '../../core/support/templates.ts';
import { givenRuns, type RunsWithSlots } from './support/runsWithSlots.ts';

const shape = (name: string, template: TemplateName = 'withoutGate') => ({ runId: derivedId(name), template });
const [A, B] = ['a', 'b'].map((name) => derivedId(name)) as [string, string];

/** Settles the oldest effect in flight of this type, of this run, with its n-th possible result. */
async function settles(world: RunsWithSlots, runId: string, type: string, nth = 0): Promise<void> {
  const begun = world.inFlight().find(({ effect }) => effect.runId === runId && effect.type === type);
  if (!begun) throw new TypeError(`${type} is not in flight: ${world.inFlight().map(({ effect }) => effect.type)}`);
  await world.settle(begun, resultsOf(begun.effect, world.actorOf(runId).run())[nth]);
}

const typesOf = (world: RunsWithSlots, runId: string) =>
  world.inFlight().flatMap(({ effect }) => (effect.runId === runId ? effect.type : []));

test('a second run waits for the slot, and continues as soon as the artifact of the first is found', async () => {
  const world = await givenRuns([shape('a'), shape('b')], 1);
  await settles(world, A, 'lockBindings');
  await settles(world, B, 'lockBindings');
  for (const type of ['startSession', 'sendPrompt']) {
    expect(typesOf(world, B)).toEqual([]);
    await settles(world, A, type);
  }
  expect(world.slots().counts()).toEqual({ atWork: 1, waiting: 1, limit: 1 });
  await settles(world, A, 'awaitArtifact');
  expect([typesOf(world, A), typesOf(world, B)]).toEqual([['commitWork'], ['startSession']]);
});

test('an agent that dies keeps its slot until it has recovered and finished, though its sibling waits', async () => {
  const world = await givenRuns([shape('a', 'twoInstances')], 1);
  for (const type of ['lockBindings', 'startSession', 'sendPrompt']) await settles(world, A, type);
  await settles(world, A, 'awaitArtifact', 3);
  expect(typesOf(world, A)).toEqual(['recoverSession']);
  for (const type of ['recoverSession', 'sendPrompt', 'awaitArtifact']) await settles(world, A, type);
  expect(typesOf(world, A)).toEqual(['startSession']);
});

test('an agent whose taker ended keeps its slot', async () => {
  const world = await givenRuns([shape('a'), shape('b')], 1);
  for (const runId of [A, B]) await settles(world, runId, 'lockBindings');
  await settles(world, A, 'startSession');
  await settles(world, A, 'sendPrompt', 2);
  expect([typesOf(world, A), typesOf(world, B)]).toEqual([['recoverSession'], []]);
});

test('an agent at its usage limit gives its slot back, and waits for one when the limit ends', async () => {
  const world = await givenRuns([shape('a'), shape('b')], 1);
  for (const runId of [A, B]) await settles(world, runId, 'lockBindings');
  for (const type of ['startSession', 'sendPrompt']) await settles(world, A, type);
  const sessionId = world.actorOf(A).run().sessions[0]?.id as string;
  const until = '2026-01-01T05:00:00.000Z';
  world.actorOf(A).report({ type: 'sessionStalled', sessionId, stall: { cause: 'quota', detail: '5h', until } });
  await world.settled();
  expect(typesOf(world, B)).toEqual(['startSession']);
  world.actorOf(A).report({ type: 'sessionStalled', sessionId, stall: null });
  await world.settled();
  expect(world.slots().listWaiting()).toEqual([sessionId]);
});

test('an agent that continues by itself after its limit has a slot at once, above the limit', async () => {
  const world = await givenRuns([shape('a'), shape('b')], 1);
  for (const runId of [A, B]) await settles(world, runId, 'lockBindings');
  for (const type of ['startSession', 'sendPrompt']) await settles(world, A, type);
  const sessionId = world.actorOf(A).run().sessions[0]?.id as string;
  const stall = { cause: 'quota', detail: '5h', until: null, goesOn: true } as const;
  world.actorOf(A).report({ type: 'sessionStalled', sessionId, stall });
  await world.settled();
  world.actorOf(A).report({ type: 'sessionStalled', sessionId, stall: null });
  await world.settled();
  expect(world.slots().counts()).toEqual({ atWork: 2, waiting: 0, limit: 1 });
});

test('a suspended run frees its slot, and its agent that still works takes it back above the limit', async () => {
  const world = await givenRuns([shape('a'), shape('b')], 1);
  for (const runId of [A, B]) await settles(world, runId, 'lockBindings');
  for (const type of ['startSession', 'sendPrompt']) await settles(world, A, type);
  world.failNextWrite(A);
  await expect(world.actorOf(A).signal({ type: 'pause', reason: 'x' })).rejects.toMatchObject({ code: 'disk_full' });
  const aborted = world.inFlight().find(({ effect }) => effect.runId === A);
  expect(aborted?.signal.aborted).toBe(true);
  if (aborted) await world.settle(aborted);
  expect([typesOf(world, A), typesOf(world, B)]).toEqual([['awaitArtifact'], ['startSession']]);
  expect(world.slots().counts()).toEqual({ atWork: 2, waiting: 0, limit: 1 });
});

test('agents at work when the daemon starts keep their slots, also above a lower limit', async () => {
  const world = await givenRuns([shape('a'), shape('b'), shape('c')], 2);
  const C = derivedId('c');
  for (const runId of [A, B, C]) await settles(world, runId, 'lockBindings');
  for (const runId of [A, B]) for (const type of ['startSession', 'sendPrompt']) await settles(world, runId, type);
  await world.restart('kill', 1);
  expect(world.slots().counts()).toEqual({ atWork: 2, waiting: 1, limit: 1 });
  await settles(world, A, 'awaitArtifact');
  expect(typesOf(world, C)).toEqual([]);
  await settles(world, B, 'awaitArtifact');
  expect(typesOf(world, C)).toEqual(['startSession']);
});
