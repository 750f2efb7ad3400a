import { describe, expect, it } from 'vitest';
import { evolve, stamp } from '../../../../daemon/core/evolve/evolve.ts';
import type { Message } from '../../../../daemon/core/run/message.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { EventPayload, NewEvent } from '../../../../schemas/events/index.ts';
import { session, waiting, work } from '../support/agent.ts';
import { given, stalls } from '../support/given.ts';
import { second } from '../support/run.ts';

const waitingRun = () => given({}, ...waiting).run;
const sessionId = session(given({}, ...waiting))?.id ?? '';

type Told = Extract<NewEvent, { type: `message.${string}` }>;

function runAfter(run: Run, ...events: Told[]): Run {
  return events.reduce((at, event) => evolve(at, stamp(at.id, at.lastSeq, event, second(at.lastSeq + 100))), run);
}

const queued = (more: Partial<EventPayload<'message.queued'>> = {}): Told => ({
  type: 'message.queued',
  phaseId: null,
  payload: { messageId: 'm1', sessionId, text: 'Use tabs.', by: 'person', ...more },
});
const sent = (run: Run): Told => ({
  type: 'message.sent',
  phaseId: null,
  payload: {
    messageId: 'm1',
    sessionId: run.sessions[0]?.id ?? '',
    promptId: 'p1',
    proof: 'hook',
    recoveryAttempts: 0,
    conversation: 1,
  },
});
const doubted: Told = {
  type: 'message.doubted',
  phaseId: null,
  payload: { messageId: 'm1', nth: 1, reason: 'no sign' },
};
const settled = (taken: boolean): Told => ({
  type: 'message.settled',
  phaseId: null,
  payload: { messageId: 'm1', nth: 1, taken, clientToken: 't' },
});
const newest = ({ messages }: Run): Message | undefined => messages.at(-1);

describe('the state of a message', () => {
  it.each<[string, Told[], Partial<Message>]>([
    ['is queued first', [], { state: 'queued', sentAt: null, proof: null, why: null, now: false }],
    ['is sent with its proof', [sent(waitingRun())], { state: 'sent', proof: 'hook' }],
    [
      'is withdrawn',
      [{ type: 'message.withdrawn', phaseId: null, payload: { messageId: 'm1' } }],
      { state: 'withdrawn' },
    ],
    ['is uncertain after a doubt', [doubted], { state: 'uncertain', doubts: 1, doubt: 'no sign' }],
    [
      'is queued again once a person has said what the agent has',
      [doubted, settled(false)],
      { state: 'queued', settled: { taken: false, nth: 1, clientToken: 't' } },
    ],
  ])('%s', (_, events, expected) => {
    const run = runAfter(waitingRun(), queued(), ...events);
    expect(newest(run)).toMatchObject(expected);
  });

  it('is of the message that the event names', () => {
    const run = runAfter(waitingRun(), queued({ messageId: 'm0' }), queued(), sent(waitingRun()));
    expect(run.messages.map(({ id, state }) => [id, state])).toEqual([
      ['m0', 'queued'],
      ['m1', 'sent'],
    ]);
  });

  it('keeps who wrote it and why', () => {
    const run = runAfter(waitingRun(), queued({ by: 'devflow', why: 'crash', now: true }));
    expect(newest(run)).toMatchObject({ by: 'devflow', why: 'crash', now: true });
  });
});

describe('a message that the agent got', () => {
  it('begins the deadline of the awaited file again', () => {
    const before = waitingRun();
    const run = runAfter(before, queued(), sent(before));
    expect(run.phases[0]?.assignments[0]?.prompt).toMatchObject({ since: run.updatedAt });
    expect(work(given({}, ...waiting))?.prompt?.since).not.toBe(run.updatedAt);
  });

  it('ends the end of a turn, and with it the gate about it', () => {
    const idle = given({}, ...waiting, stalls('planner', 'idle')).run;
    const before = idle.sessions[0];
    expect(before?.stall?.cause).toBe('idle');
    expect(idle.approvals.map(({ kind, state }) => [kind, state])).toEqual([['turn', 'pending']]);
    const run = runAfter(idle, queued(), sent(idle));
    expect(run.sessions[0]?.stall).toBeNull();
    expect(run.approvals.map(({ state }) => state)).toEqual(['aborted']);
  });

  it('leaves every other stall', () => {
    const asking = given({}, ...waiting, stalls('planner', 'question')).run;
    const run = runAfter(asking, queued(), sent(asking));
    expect(run.sessions[0]?.stall?.cause).toBe('question');
  });
});
