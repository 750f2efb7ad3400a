import { describe, expect, test } from 'vitest';
import { decide } from '../../../daemon/core/decide.ts';
import { waiting } from './support/agent.ts';
import { describeBehaviours } from './support/behaviours.ts';
import {
  approve,
  bound,
  committed,
  dies,
  done,
  failed,
  firstPhaseDone,
  invalid,
  recovered,
  type Story,
  sent,
  valid,
} from './support/given.ts';

describeBehaviours((given) => {
  describe('a retry by a person', () => {
    test('uses new effect keys', () => {
      for (const [before, type] of [
        [[bound], 'startSession'],
        [[...waiting, dies('planner')], 'recoverSession'],
        [[...waiting, valid], 'commitWork'],
      ] as const) {
        const story = given({}, ...before);
        const again = story.on(failed(type, 'disk_full'), approve);
        const keys = (run: typeof story.run) => decide(run).map((effect) => effect.key);
        expect(keys(again.run)).toHaveLength(1);
        expect(keys(again.run)).not.toEqual(keys(story.run));
      }
    });

    test('sends the prompt to a session that stayed busy', () => {
      given({}, ...waiting, failed('awaitArtifact', 'disk_full'), approve)
        .to({ sessions: { planner: 'BUSY' } })
        .decides('sendPrompt')
        .on(sent)
        .records('session.idle', 'prompt.sent', 'artifact.expected', 'session.busy');
    });

    test('restarts an exhausted session exactly once', () => {
      const dead = [dies('planner'), dies('planner'), dies('planner'), dies('planner')];
      const again = given({}, ...waiting, ...dead, approve).decides('recoverSession');
      expect(decide(again.run)).toMatchObject([{ how: 'rebootstrap' }]);
      again
        .on(done('recoverSession', 2))
        .to({ run: 'paused' })
        .on(approve, recovered)
        .to({ sessions: { planner: 'READY' } });
    });
  });

  describe('recovery budgets', () => {
    test('allow two resumes and one restart, then need a person', () => {
      const how = (story: Story) =>
        decide(story.run).map((effect) => (effect.type === 'recoverSession' ? effect.how : effect.type));
      const lost = given({}, ...waiting, dies('planner'));
      const ways = [lost, lost.on(dies('planner')), lost.on(dies('planner'), dies('planner'))].map(how);
      expect(ways).toEqual([['resume'], ['resume'], ['rebootstrap']]);
      lost
        .on(dies('planner'), dies('planner'), dies('planner'))
        .to({ run: 'paused', sessions: { planner: 'FAILED_NEEDS_HUMAN' } });
    });

    test('are the same for a session that broke before its phase', () => {
      const idle = given({}, ...firstPhaseDone, dies('planner'), approve).decides('recoverSession');
      idle.on(dies('planner'), dies('planner')).to({ run: 'planning' }).on(dies('planner')).to({ run: 'paused' });
    });

    test('refill after completed work', () => {
      const worn = given(
        {},
        ...waiting,
        dies('planner'),
        dies('planner'),
        dies('planner'),
        recovered,
        sent,
        valid,
        committed,
      );
      worn.on(approve, sent, dies('planner'), dies('planner')).decides('recoverSession');
    });

    test('allow one repair for each attempt that a person started', () => {
      given({}, ...waiting, invalid, sent, invalid)
        .to({ run: 'paused' })
        .on(approve, sent, invalid)
        .decides('sendPrompt');
    });
  });
});
