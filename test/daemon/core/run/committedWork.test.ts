import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { lastCommit, openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { describeBehaviours } from '../support/behaviours.ts';
import type { Story } from '../support/given.ts';
import { resultsOf } from '../support/outcomes.ts';

/** Performs due effects until a person is asked. `made` gives the result of a commit. */
function work(story: Story, made: 0 | 1): Story {
  let at = story;
  for (let effect = decide(at.run)[0]; effect && effect.type !== 'expireApproval'; effect = decide(at.run)[0]) {
    const results = resultsOf(effect, at.run);
    at = at.on(results[effect.type === 'commitWork' ? made : 0] as Outcome);
  }
  return at;
}

const decision = (action: 'approve' | 'request_changes') => (run: Run) => {
  const approvalRequestId = openGates(run)[0]?.id ?? '';
  return { type: 'decide' as const, approvalRequestId, action, comment: null, clientToken: action };
};

describeBehaviours((given) => {
  test('keeps the earlier commit at the gate after an attempt without changes', () => {
    const first = work(given({ template: 'withoutPlan' }), 0);
    const second = work(first.on(decision('request_changes')), 1);
    const { run } = second;
    expect(openGates(run)[0]).toMatchObject({ attempt: 2, subject: { diff: { to: 'commit-implement-1' } } });
    expect(lastCommit(run)).toBe('commit-implement-1');
    expect(run.phases[0]).toMatchObject({ work: { commit: null }, commits: [{ commit: 'commit-implement-1' }] });
  });

  test('keeps the commit of each attempt', () => {
    const first = work(given({ template: 'withoutPlan' }), 0);
    const { run } = work(first.on(decision('request_changes')), 0);
    expect(run.phases[0]?.commits.map(({ commit }) => commit)).toEqual(['commit-implement-1', 'commit-implement-2']);
  });
});
