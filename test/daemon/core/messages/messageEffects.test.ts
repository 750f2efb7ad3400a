import { describe, expect, it } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { messageHash } from '../../../../schemas/envelope.ts';
import { waiting } from '../support/agent.ts';
import {
  abort,
  approve,
  bound,
  dies,
  done,
  failed,
  firstPhaseDone,
  given,
  type Input,
  pause,
  resume,
  type Story,
  sent,
  stalls,
  started,
} from '../support/given.ts';
import { message, settles, statesOf, takenBack } from '../support/messages.ts';
import { SETUP } from '../support/setup.ts';

const due = (run: Run) =>
  decide(run).filter((effect): effect is EffectOf<'sendMessage'> => effect.type === 'sendMessage');
const dueIds = ({ run }: Pick<Story, 'run'>) => due(run).map((effect) => effect.message.messageId);
const delivered = done('sendMessage');
const toPlanner = message('planner');

describe('when a message is sent', () => {
  it.each<[string, Input[], boolean]>([
    ['to nobody before the run is bound', [toPlanner], false],
    ['not to an agent that starts', [bound, toPlanner], false],
    ['not before a prompt that is due', [bound, started, toPlanner], false],
    ['not to an agent at work', [...waiting, toPlanner], false],
    ['to an agent whose turn ended without its file', [...waiting, stalls('planner', 'idle'), toPlanner], true],
    ['not to an agent that asks', [...waiting, stalls('planner', 'question'), toPlanner], false],
    ['not to an agent behind a usage limit', [...waiting, stalls('planner', 'quota'), toPlanner], false],
    ['to an agent that is done, while its work waits at a gate', [...firstPhaseDone, toPlanner], true],
    ['not while a person paused the run', [...firstPhaseDone, toPlanner, pause], false],
    ['again once the run resumes', [...firstPhaseDone, toPlanner, pause, resume], true],
    ['not after the run has ended', [...firstPhaseDone, toPlanner, abort], false],
    ['not once it was taken back', [...firstPhaseDone, toPlanner, takenBack()], false],
    ['not before the next prompt to the same agent', [...firstPhaseDone, toPlanner, approve], false],
  ])('%s', (_, inputs, isDue) => {
    expect(dueIds(given({}, ...inputs))).toEqual(isDue ? ['m1'] : []);
  });

  it('not while the lane of the agent is set up', () => {
    const story = given({ setup: SETUP }, bound, toPlanner);
    expect(dueIds(story)).toEqual([]);
  });

  it('one at a time, in the order in which they were written', () => {
    const story = given({}, ...firstPhaseDone, toPlanner, message('planner', 'm2'));
    expect(dueIds(story)).toEqual(['m1']);
    expect(dueIds(story.on(delivered))).toEqual(['m2']);
    expect(dueIds(story.on(takenBack()))).toEqual(['m2']);
  });

  it('to each agent for itself', () => {
    const story = given({ template: 'twoInstances' }, bound, started, done('startSession'), sent, done('sendPrompt'));
    const roles = story.run.sessions.map(({ roleId }) => roleId);
    const [first = '', second = ''] = roles;
    const idle = story.on(stalls(first, 'idle'), stalls(second, 'idle'), message(first), message(second, 'm2'));
    expect(dueIds(idle).sort()).toEqual(['m1', 'm2']);
  });
});

describe('what is sent', () => {
  it('is the text, under a key that follows from the message alone', () => {
    const [effect] = due(given({}, ...firstPhaseDone, toPlanner).run);
    const dedupKey = messageHash('m1');
    expect(effect).toMatchObject({
      key: 'sendMessage:m1:0',
      session: { roleId: 'planner' },
      message: { messageId: 'm1', dedupKey, text: 'Use tabs.', roleId: 'planner' },
    });
    expect(effect).not.toHaveProperty('assumeTaken');
  });

  it('is the same after the agent was restarted', () => {
    const story = given({}, ...firstPhaseDone, toPlanner);
    const [before] = due(story.run);
    const [after] = due(story.on(dies('planner'), done('recoverSession')).run);
    expect(after?.message).toEqual(before?.message);
    expect(after?.key).toBe('sendMessage:m1:1');
  });
});

describe('an agent that ended', () => {
  const atGate = given({}, ...firstPhaseDone, dies('planner'));

  it('stays away while nothing needs it', () => {
    expect(decide(atGate.run)).toEqual([]);
  });

  it('is restarted for a message, also at a gate, which stays open', () => {
    const story = atGate.on(toPlanner);
    expect(decide(story.run)).toMatchObject([{ type: 'recoverSession', forMessage: true, how: 'resume' }]);
    expect(story.run.state).toBe('awaiting_approval');
    story.on(done('recoverSession')).decides('sendMessage').to({ run: 'awaiting_approval' });
  });

  it('is not restarted twice where its phase does it', () => {
    const story = given({}, ...waiting, dies('planner'), toPlanner);
    story.decides('recoverSession');
    expect(decide(story.run)[0]).not.toHaveProperty('forMessage');
  });

  it('has all its recoveries again once it took a message', () => {
    const again: Input[] = [toPlanner, ...['m2', 'm3', 'm4', 'm5'].map((id) => message('planner', id))];
    const story = again.reduce<Story>(
      (at, next) => at.on(next, done('recoverSession'), done('sendMessage'), dies('planner')),
      atGate,
    );
    expect(statesOf(story.run)).toEqual(again.map(() => 'sent'));
  });

  it('is left alone once no recovery is left', () => {
    const again: Input[] = Array.from({ length: 3 }, () => dies('planner'));
    const story = atGate.on(toPlanner, ...again);
    expect(decide(story.run)).toEqual([]);
    expect(statesOf(story.run)).toEqual(['queued']);
  });
});

describe('the run', () => {
  it('stays at its gate while a message is on its way', () => {
    const story = given({}, ...firstPhaseDone, toPlanner);
    story.to({ run: 'awaiting_approval', approvals: { spec_approved: 'pending' } });
    story.on(delivered).records('message.sent').to({ run: 'awaiting_approval' });
  });

  it('does not fail with a message', () => {
    const story = given({}, ...firstPhaseDone, toPlanner, failed('sendMessage', 'internal_state_corruption'));
    story.records('message.doubted').to({ run: 'awaiting_approval' });
    expect(story.run.approvals).toHaveLength(1);
  });
});

describe('a delivery in doubt', () => {
  const doubted = given(
    {},
    ...firstPhaseDone,
    toPlanner,
    message('planner', 'm2'),
    failed('sendMessage', 'delivery_uncertain'),
  );

  it('is not tried again, and holds the messages behind it', () => {
    expect(statesOf(doubted.run)).toEqual(['uncertain', 'queued']);
    expect(dueIds(doubted)).toEqual([]);
  });

  it.each([true, false])('goes on with what a person says: %s', (taken) => {
    const [effect] = due(doubted.on(settles(taken)).run);
    expect(effect).toMatchObject({ key: 'sendMessage:m1:0:settled:1', assumeTaken: taken, answer: 1 });
  });

  it('can be taken back', () => {
    expect(dueIds(doubted.on(takenBack()))).toEqual(['m2']);
  });

  it('can come to doubt again', () => {
    const again = doubted.on(settles(false), failed('sendMessage', 'delivery_uncertain'));
    expect(again.run.messages[0]).toMatchObject({ state: 'uncertain', doubts: 2 });
    expect(due(again.on(settles(true)).run)[0]).toMatchObject({ answer: 2, assumeTaken: true });
  });
});
