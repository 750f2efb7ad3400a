import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { createAgentAdoption } from '../../../../daemon/engine/local/agentAdoption.ts';
import { agentNeeds } from '../../../../daemon/engine/local/agentNeeds.ts';
import { createAgentSlots } from '../../../../daemon/engine/local/agentSlots.ts';
import { createBus } from '../../../../daemon/events/bus.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { AdoptionCounts } from '../../../../schemas/rpc/views/session.ts';
import { done, given, pause, type Story } from '../../core/support/given.ts';

const NONE: AdoptionCounts = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };
const GONE = new DevflowError('pane_briefly_unresponsive', 'There is no live agent.');

const asked = given({}, done('lockBindings'), done('startSession'), done('sendPrompt'));
const atGate = asked.on(done('awaitArtifact'), done('commitWork'));

/** The run after a new daemon probed its agents; `next` applies more inputs. */
async function adopted(
  at: Story,
  ensure: () => Promise<{ sessionId: string }>,
  agentSlots = createAgentSlots(4, createBus()),
) {
  let story = at;
  const adoption = createAgentAdoption({ sessions: { ensure }, agentSlots, log: { warn() {} } });
  const next = (...inputs: Parameters<Story['on']>) => {
    for (const input of inputs) {
      story = story.on(input);
      adoption.record(story.run, story.latest);
    }
  };
  adoption.adopt(story.run, (outcome) => next(outcome));
  const count = () => adoption.counts(() => story.run);
  const before = count();
  await turn();
  return { before, count, next, run: () => story.run };
}

const alive = async () => ({ sessionId: 'any' });
const missing = () => Promise.reject(GONE);

test('adopts a live agent of a run that executes, is paused or waits at a gate', async () => {
  for (const story of [asked, atGate, asked.on(pause)]) {
    const { before, count } = await adopted(story, alive);
    expect([before, count()]).toEqual([
      { ...NONE, pending: 1 },
      { ...NONE, adopted: 1 },
    ]);
  }
});

test('recovers a missing agent at once if its turn was open', async () => {
  const { count, next } = await adopted(asked, missing);
  expect(count()).toEqual({ ...NONE, pending: 1 });
  next(done('recoverSession'));
  expect(count()).toEqual({ ...NONE, resumed: 1 });
});

test('reports a missing agent lost at a gate, and counts it as waiting', async () => {
  const { count, run } = await adopted(atGate, missing);
  expect(count()).toEqual({ ...NONE, waiting: 1 });
  expect(run().sessions[0]?.state).toBe('CRASHED');
});

test('recovers a missing agent of a paused run after the run resumes', async () => {
  const { count, next } = await adopted(asked.on(pause), missing);
  expect(count()).toEqual({ ...NONE, resting: 1 });
  next({ type: 'resume' });
  expect(count()).toEqual({ ...NONE, pending: 1 });
  next({ type: 'abort', reason: 'enough' });
  expect(count()).toEqual(NONE);
});

test('counts a missing agent that waits for a slot as resting', async () => {
  const agentSlots = createAgentSlots(1, createBus());
  agentSlots.forRun('another run', () => {}).request([{ sessionId: 'busy', isAtWork: true }]);
  const { count, run } = await adopted(asked, missing, agentSlots);
  const needs = agentNeeds(run(), decide(run()), []);
  agentSlots.forRun(run().id, () => {}).request(needs);
  expect(count()).toEqual({ ...NONE, resting: 1 });
});

test('does not report an agent lost if the probe fails', async () => {
  const { run } = await adopted(asked, () => Promise.reject(new DevflowError('backend_unavailable', 'no tmux')));
  expect(run().sessions[0]?.state).toBe('BUSY');
});
