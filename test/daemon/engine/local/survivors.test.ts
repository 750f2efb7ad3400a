import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSurvivors } from '../../../../daemon/engine/local/survivors.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import type { AgentFates } from '../../../../schemas/rpc/views/agents.ts';
import { done, given, pause, type Story } from '../core/support/given.ts';

const NONE: AgentFates = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };
const GONE = new DevflowError('pane_briefly_unresponsive', 'There is no live agent.');

const asked = given({}, done('lockBindings'), done('startSession'), done('sendPrompt'));
const atGate = asked.on(done('awaitArtifact'), done('commitWork'));

/** The run as a new daemon takes it up, its agents looked for; `next` moves it on. */
async function takenUp(at: Story, ensure: () => Promise<{ sessionId: string }>) {
  let story = at;
  const survivors = createSurvivors({ sessions: { ensure }, log: { warn() {} } });
  const next = (...inputs: Parameters<Story['on']>) => {
    for (const input of inputs) {
      story = story.on(input);
      survivors.moved(story.run, story.news);
    }
  };
  survivors.takeOver(story.run, (outcome) => next(outcome));
  const count = () => survivors.count(() => story.run);
  const before = count();
  await turn();
  return { before, count, next, run: () => story.run };
}

const there = async () => ({ sessionId: 'any' });
const gone = () => Promise.reject(GONE);

test('an agent that lives is adopted, whether its run works, rests or waits at a gate', async () => {
  for (const story of [asked, atGate, asked.on(pause)]) {
    const { before, count } = await takenUp(story, there);
    expect([before, count()]).toEqual([
      { ...NONE, pending: 1 },
      { ...NONE, adopted: 1 },
    ]);
  }
});

test('one that is gone in mid-turn is brought back at once', async () => {
  const { count, next } = await takenUp(asked, gone);
  expect(count()).toEqual({ ...NONE, pending: 1 });
  next(done('recoverSession'));
  expect(count()).toEqual({ ...NONE, resumed: 1 });
});

test('one that is gone at a gate waits behind it, known to be lost', async () => {
  const { count, run } = await takenUp(atGate, gone);
  expect(count()).toEqual({ ...NONE, waiting: 1 });
  expect(run().sessions[0]?.state).toBe('CRASHED');
});

test('one that is gone while its run is paused rests until the run goes on', async () => {
  const { count, next } = await takenUp(asked.on(pause), gone);
  expect(count()).toEqual({ ...NONE, resting: 1 });
  next({ type: 'resume' });
  expect(count()).toEqual({ ...NONE, pending: 1 });
  next({ type: 'abort', reason: 'enough' });
  expect(count()).toEqual(NONE);
});

test('one that could not be looked at is not called lost', async () => {
  const { run } = await takenUp(asked, () => Promise.reject(new DevflowError('backend_unavailable', 'no tmux')));
  expect(run().sessions[0]?.state).toBe('BUSY');
});
