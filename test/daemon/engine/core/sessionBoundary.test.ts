import { expect, test } from 'vitest';
import { runDetail } from '../../../../daemon/api/runs/runDetail.ts';
import { decide } from '../../../../daemon/engine/core/decide.ts';
import { waitsFor } from '../../../../daemon/engine/core/waitsFor.ts';
import {
  bound,
  decision,
  dies,
  firstPhaseDone,
  given,
  pause,
  phaseDone,
  recovered,
  resume,
  sent,
} from './support/given.ts';

const atBoundary = () => given({ template: 'boundary' }, ...firstPhaseDone);
const keys = (story: ReturnType<typeof atBoundary>) => decide(story.run).map(({ key }) => key);

test('a phase with a session boundary begins with a new conversation in the same session', () => {
  const story = atBoundary();
  expect(decide(story.run)).toMatchObject([{ type: 'recoverSession', how: 'rebootstrap' }]);
  const renewed = story.on(recovered).records('session.recovered').decides('sendPrompt');
  expect(renewed.run.sessions).toHaveLength(1);
  expect(renewed.events.filter(({ type }) => type === 'session.created')).toHaveLength(1);
  renewed.on(...phaseDone).to({ run: 'awaiting_approval' });
});

test('without one the role keeps its conversation', () => {
  given({ template: 'development' }, ...firstPhaseDone, decision('approve')).decides('sendPrompt');
});

test('a new conversation mends nothing, so that it counts as no recovery', () => {
  const { run } = atBoundary().on(recovered);
  expect(runDetail(run).sessions).toMatchObject([{ recoveryAttempts: 0 }]);
  expect(waitsFor(run).party).toBe('devflow');
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

test('a start of a new conversation that keeps failing asks a person', () => {
  const fails = dies('implementer');
  atBoundary()
    .on(fails, fails, fails, fails)
    .to({ run: 'paused', approvals: { recovery: 'pending' } });
});

test('the same state asks for the same: a crash or a pause in between begins nothing twice', () => {
  const story = atBoundary();
  expect(keys(story.on(pause, resume))).toEqual(keys(story));
  expect(keys(story.on(recovered))).not.toEqual(keys(story));
});

test('a role that has not spoken yet is only started', () => {
  const template = { ...given({ template: 'boundary' }).run.template };
  const first = { ...template, phases: template.phases.slice(1) };
  given({ template: first }, bound).decides('startSession');
});

test('in runs of behaviour 1 the boundary does nothing', () => {
  given({ template: 'boundary', behaviour: 1 }, ...firstPhaseDone)
    .decides('sendPrompt')
    .on(sent);
});
