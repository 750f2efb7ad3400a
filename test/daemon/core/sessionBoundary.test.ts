import { expect, test } from 'vitest';
import { runDetail } from '../../../daemon/api/runs/runDetail.ts';
import { decide } from '../../../daemon/core/decide.ts';
import { waitsFor } from '../../../daemon/core/waitsFor.ts';
import { describeBehaviours } from './support/behaviours.ts';
import {
  bound,
  decision,
  dies,
  firstPhaseDone,
  pause,
  phaseDone,
  recovered,
  resume,
  type Story,
  sent,
} from './support/given.ts';

describeBehaviours((given) => {
  const atBoundary = () => given({ template: 'boundary' }, ...firstPhaseDone);
  const keys = (story: Story) => decide(story.run).map(({ key }) => key);

  test('starts a new conversation in the same session at a session boundary', () => {
    const story = atBoundary();
    expect(decide(story.run)).toMatchObject([{ type: 'recoverSession', how: 'rebootstrap' }]);
    const renewed = story.on(recovered).records('session.recovered').decides('sendPrompt');
    expect(renewed.run.sessions).toHaveLength(1);
    expect(renewed.events.filter(({ type }) => type === 'session.created')).toHaveLength(1);
    renewed.on(...phaseDone).to({ run: 'awaiting_approval' });
  });

  test('keeps the conversation without a session boundary', () => {
    given({ template: 'development' }, ...firstPhaseDone, decision('approve')).decides('sendPrompt');
  });

  test('does not count a new conversation as a recovery', () => {
    const { run } = atBoundary().on(recovered);
    expect(runDetail(run).sessions).toMatchObject([{ recoveryAttempts: 0 }]);
    expect(waitsFor(run)).toMatchObject([{ party: 'devflow' }]);
  });

  test('a retry continues the conversation of the phase', () => {
    const asked = atBoundary().on(recovered, ...phaseDone);
    asked.on(decision('request_changes', 'Shorter.')).decides('sendPrompt');
  });

  test('does not resume an agent that dies at the boundary, because its conversation must end', () => {
    const dead = atBoundary().on(dies('implementer'));
    expect(decide(dead.run)).toMatchObject([{ type: 'recoverSession', how: 'rebootstrap' }]);
    const resumed = { type: 'sessionRecovered', sessionId: dead.run.sessions[0]?.id ?? '', how: 'resume' } as const;
    expect(dead.on(resumed).latest).toEqual([]);
    dead.on(recovered).decides('sendPrompt');
  });

  test('opens a recovery gate if a new conversation keeps failing to start', () => {
    const fails = dies('implementer');
    atBoundary()
      .on(fails, fails, fails, fails)
      .to({ run: 'paused', approvals: { recovery: 'pending' } });
  });

  test('starts the new conversation once, despite a crash or a pause', () => {
    const story = atBoundary();
    expect(keys(story.on(pause, resume))).toEqual(keys(story));
    expect(keys(story.on(recovered))).not.toEqual(keys(story));
  });

  test('only starts a role without a conversation', () => {
    const template = { ...given({ template: 'boundary' }).run.template };
    const first = { ...template, phases: template.phases.slice(1) };
    given({ template: first }, bound).decides('startSession');
  });

  test('ignores the boundary in runs of behaviour 1', () => {
    given({ template: 'boundary', behaviour: 1 }, ...firstPhaseDone)
      .decides('sendPrompt')
      .on(sent);
  });
});
