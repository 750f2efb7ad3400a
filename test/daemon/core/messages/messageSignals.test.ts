import { describe, expect, it } from 'vitest';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { recipientsOf } from '../../../../daemon/core/messages/recipients.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { waiting } from '../support/agent.ts';
import { abort, bound, done, failed, firstPhaseDone, given, now, type Story } from '../support/given.ts';
import { message, recipient, settles, takenBack } from '../support/messages.ts';

const toPlanner = message('planner');
const again = (story: Story, signal: Signal) => onSignal(story.run, signal, '2026-01-01T00:00:00.000Z');

describe('a message', () => {
  it('is recorded with its author, once', () => {
    const story = given({}, ...waiting)
      .on(toPlanner)
      .records('message.queued');
    expect(story.latest[0]).toMatchObject({
      idempotencyKey: 'message.queued:m1',
      payload: { messageId: 'm1', text: 'Use tabs.', by: 'person' },
    });
    expect(again(story, now(story, toPlanner) as Signal)).toMatchObject({ events: [] });
  });

  it('waits for an agent that the run will have', () => {
    const story = given({}, toPlanner).records('message.queued');
    const [planned] = story.run.messages;
    expect(story.on(bound).run.sessions[0]?.id).toBe(planned?.sessionId);
  });

  it('is refused once the run has ended', () => {
    given({}, abort).refuses(toPlanner, 'state_conflict');
  });

  it('is refused for an agent of another run', () => {
    const other: Signal = { type: 'queueMessage', messageId: 'm1', sessionId: 'no such', text: 'Hi', by: 'person' };
    given({}, ...waiting).refuses(other, 'not_found');
  });

  it('can be taken back until the agent has it', () => {
    const story = given({}, ...firstPhaseDone, toPlanner);
    const back = story.on(takenBack()).records('message.withdrawn');
    expect(again(back, takenBack())).toMatchObject({ events: [] });
    story.on(done('sendMessage')).refuses(takenBack(), 'state_conflict');
    story.refuses(takenBack('m9'), 'not_found');
    story.on(abort).refuses(takenBack(), 'state_conflict');
  });
});

describe('a person who looked into the pane', () => {
  const doubted = given({}, ...firstPhaseDone, toPlanner, failed('sendMessage', 'delivery_uncertain'));

  it('is asked, after what the run itself asks', () => {
    const [gate, word, ...others] = waitsFor(doubted.run);
    expect(gate).toMatchObject({ approvalRequestId: expect.anything() });
    expect(word).toMatchObject({
      party: 'person',
      messageId: 'm1',
      sentence: expect.stringContaining('message settle m1'),
    });
    expect(others).toEqual([]);
  });

  it('says it once', () => {
    const said = doubted.on(settles(true)).records('message.settled');
    expect(again(said, settles(true))).toMatchObject({ events: [] });
    said.refuses(settles(true, 'm1', 'another token'), 'state_conflict');
    said.on(done('sendMessage')).records('message.sent');
  });

  it('is not asked about a message that only waits', () => {
    given({}, ...firstPhaseDone, toPlanner).refuses(settles(true), 'state_conflict');
  });
});

describe('a late outcome', () => {
  const story = given({}, ...firstPhaseDone, toPlanner);
  const late = now(story, done('sendMessage'));

  it('of a message that arrived is recorded once', () => {
    story.on(late).records('message.sent').on(late).records();
  });

  it('of a message that was taken back records nothing', () => {
    story.on(takenBack(), late).records();
  });
});

describe('who can get a message', () => {
  it('is every role in the run, before and after its agent has begun', () => {
    const roles = (story: Story) =>
      recipientsOf(story.run)
        .map(({ roleId, laneId }) => `${roleId}@${laneId}`)
        .sort();
    expect(roles(given({}))).toEqual(['implementer@main', 'planner@main']);
    expect(roles(given({}, ...waiting))).toEqual(['implementer@main', 'planner@main']);
    expect(roles(given({ template: 'twoInstances' }))).toHaveLength(2);
  });

  it('has the id that its session will have', () => {
    const story = given({});
    expect(story.on(bound).run.sessions.map(({ id }) => id)).toEqual([recipient(story.run, 'planner')]);
  });
});
