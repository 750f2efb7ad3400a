import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { describeBehaviours } from '../support/behaviours.ts';
import { decision, type Story } from '../support/given.ts';
import { resultsOf } from '../support/outcomes.ts';
import { leavesGate } from '../support/records.ts';
import type { TEMPLATES } from '../support/templates.ts';

/** Performs due effects up to the next gate. Every commit leaves out `nested`. */
function toGate(story: Story, nested?: string[]): Story {
  for (let at = story; ; ) {
    const effect = decide(at.run)[0];
    const outcome = effect && resultsOf(effect, at.run)[0];
    if (!outcome) return at;
    if (outcome.type === 'workCommitted' && nested) outcome.work.nestedRepositories = nested;
    at = at.on(outcome);
    if (at.run.state === 'awaiting_approval') return at;
  }
}

describeBehaviours((given) => {
  const story = (template: keyof typeof TEMPLATES) => given({ template });
  const gate = (run: Run) => run.approvals.at(-1);

  test('opens a gate about a left-out repository before the gates of the phase', () => {
    const asked = toGate(story('twoInstances'), ['vendor/lib']);
    expect(gate(asked.run)).toMatchObject({
      gateKey: 'nested_repository',
      kind: 'gate',
      state: 'pending',
      phaseKey: 'write',
      subject: { work: { nestedRepositories: ['vendor/lib'] } },
    });
    const approved = asked.on(decision('approve')).recordsBy(leavesGate('approval.requested'));
    expect(gate(approved.run)).toMatchObject({
      gateKey: 'spec_approved',
      subject: { work: { nestedRepositories: ['vendor/lib'] } },
    });
    expect(approved.run.phases[0]?.attempts).toBe(1);
  });

  test('opens the gate in a phase without gates; approve completes the phase', () => {
    const asked = toGate(story('withoutPlan'), ['vendor/lib']);
    const { run } = asked.on(decision('approve'));
    expect(run.phases[0]).toMatchObject({
      state: 'completed',
      work: { commit: 'commit-implement-1', nestedRepositories: ['vendor/lib'] },
    });
  });

  test('request_changes passes the comment to the agent, reject fails and abort aborts the run', () => {
    const asked = toGate(story('withoutPlan'), ['vendor/lib']);
    const again = asked.on(decision('request_changes', 'Remove vendor/lib/.git.'));
    expect(again.run.phases[0]).toMatchObject({
      state: 'running',
      attempts: 2,
      changeRequest: 'Remove vendor/lib/.git.',
    });
    expect(gate(toGate(again).run)?.gateKey).toBe('changes_approved');
    expect(asked.on(decision('reject')).run.state).toBe('failed');
    expect(asked.on(decision('abort')).run.state).toBe('aborted');
  });

  test('does not ask again about an approved path', () => {
    const approved = toGate(story('withoutPlan'), ['vendor/lib']).on(decision('approve'));
    const changes = toGate(approved).on(decision('request_changes', 'More.'));
    expect(gate(toGate(changes, ['vendor/lib']).run)?.gateKey).toBe('changes_approved');
    expect(gate(toGate(changes, ['vendor/lib', 'other']).run)).toMatchObject({
      gateKey: 'nested_repository',
      attempt: 2,
      subject: { work: { nestedRepositories: ['vendor/lib', 'other'] } },
    });
  });
});
