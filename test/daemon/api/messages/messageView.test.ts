import { describe, expect, it } from 'vitest';
import { messageViews } from '../../../../daemon/api/messages/messageView.ts';
import { waiting } from '../../core/support/agent.ts';
import {
  abort,
  bound,
  dies,
  done,
  failed,
  firstPhaseDone,
  given,
  type Input,
  pause,
  stalls,
} from '../../core/support/given.ts';
import { message, takenBack } from '../../core/support/messages.ts';

const toPlanner = message('planner');
const view = (...inputs: Input[]) => messageViews(given({}, ...inputs).run)[0];

describe('a message as a person sees it', () => {
  it.each<[string, Input[], string]>([
    ['a run that has not begun', [toPlanner], 'its agent to start'],
    ['an agent that starts', [bound, toPlanner], 'its agent to start'],
    ['an agent at work', [...waiting, toPlanner], "the end of its agent's turn"],
    ['an agent that asks', [...waiting, stalls('planner', 'question'), toPlanner], 'its agent, which asks a question'],
    ['an agent that ended its turn', [...waiting, stalls('planner', 'idle'), toPlanner], 'its agent to be free'],
    ['an agent that ended', [...firstPhaseDone, dies('planner'), toPlanner], 'its agent to be restarted'],
    ['a paused run', [...waiting, toPlanner, pause], 'the run to be resumed'],
  ])('waits in %s', (_, inputs, waitsFor) => {
    expect(view(...inputs)).toMatchObject({ state: 'queued', position: 1, waitsFor, roleId: 'planner' });
  });

  it('has its place behind the others to the same agent', () => {
    const { run } = given({}, ...waiting, toPlanner, message('implementer', 'm2'), message('planner', 'm3'));
    expect(messageViews(run).map(({ messageId, position }) => [messageId, position])).toEqual([
      ['m1', 1],
      ['m2', 1],
      ['m3', 2],
    ]);
    expect(messageViews(run)[2]).toMatchObject({ waitsFor: 'an earlier message' });
  });

  it.each<[string, Input[], object]>([
    ['sent', [...firstPhaseDone, toPlanner, done('sendMessage')], { state: 'sent', proof: 'hook' }],
    ['taken back', [...waiting, toPlanner, takenBack()], { state: 'withdrawn' }],
    ['dropped with its run', [...waiting, toPlanner, abort], { state: 'dropped' }],
  ])('waits for nothing once it is %s', (_, inputs, expected) => {
    expect(view(...inputs)).toMatchObject({ ...expected, position: null, waitsFor: null });
  });

  it('keeps its place while it is in doubt', () => {
    const doubted = view(...firstPhaseDone, toPlanner, failed('sendMessage', 'delivery_uncertain'));
    expect(doubted).toMatchObject({ state: 'uncertain', position: 1, waitsFor: null, doubt: expect.any(String) });
  });
});
