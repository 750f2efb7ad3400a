import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { agentNeeds } from '../../../../daemon/engine/local/agentNeeds.ts';
import {
  abort,
  bound,
  committed,
  dies,
  firstPhaseDone,
  given,
  sent,
  stalls,
  started,
  valid,
} from '../../core/support/given.ts';
import { message } from '../../core/support/messages.ts';

const starting = given({ template: 'twoInstances' }, bound);
const [first, second] = starting.run.sessions.map(({ id }) => id);
const needsOf = ({ run }: typeof starting) => agentNeeds(run, decide(run), []);

test('an agent is needed from its start until its artifact is found, and is at work once it has its prompt', () => {
  const waits = { sessionId: second, isAtWork: false };
  expect(needsOf(starting)).toEqual([{ sessionId: first, isAtWork: false }, waits]);
  const busy = starting.on(started, sent);
  expect(needsOf(busy)).toEqual([{ sessionId: first, isAtWork: true }, waits]);
  expect(needsOf(busy.on(dies('writer#0')))).toEqual([{ sessionId: first, isAtWork: false }, waits]);
  expect(needsOf(busy.on(valid))).toEqual([waits]);
  const atGate = busy.on(valid, started, sent, valid, committed);
  expect(needsOf(atGate)).toEqual([]);
});

test('a stalled agent is at work, except while its usage limit lasts', () => {
  const busy = starting.on(started, sent);
  expect(needsOf(busy.on(stalls('writer#0', 'permission')))[0]).toEqual({ sessionId: first, isAtWork: true });
  const limited = busy.on(stalls('writer#0', 'quota', '2026-01-01T05:00:00.000Z'));
  expect(needsOf(limited)).toEqual([{ sessionId: second, isAtWork: false }]);
  expect(needsOf(limited.on(stalls('writer#0', null)))[0]).toEqual({ sessionId: first, isAtWork: false });
});

test('an effect in flight counts as work, also once it is aborted', () => {
  const inFlight = decide(starting.run).slice(0, 1);
  expect(agentNeeds(starting.run, decide(starting.run), inFlight)[0]).toEqual({ sessionId: first, isAtWork: true });
  const { run } = starting.on(abort);
  expect(agentNeeds(run, decide(run), inFlight)).toEqual([{ sessionId: first, isAtWork: true }]);
  const awaiting = decide(starting.on(started, sent).run).filter(({ type }) => type === 'awaitArtifact');
  expect(agentNeeds(run, decide(run), awaiting)).toEqual([]);
});

test('a message needs no slot, but an agent that is restarted for it does', () => {
  const idle = starting.on(started, sent, stalls('writer#0', 'idle'), message('writer#0'));
  expect(decide(idle.run).map(({ type }) => type)).toContain('sendMessage');
  expect(needsOf(idle)).toEqual(needsOf(starting.on(started, sent)));
  const atGate = given({}, ...firstPhaseDone, dies('planner'), message('planner'));
  expect(agentNeeds(atGate.run, decide(atGate.run), [])).toMatchObject([{ isAtWork: false }]);
});
