import { expect, test } from 'vitest';
import { waiting } from '../support/agent.ts';
import { describeBehaviours } from '../support/behaviours.ts';
import { abort, decision, type Input } from '../support/given.ts';

describeBehaviours((given) => {
  test('opens a cleanup gate for an ended run, which stays ended', () => {
    const ask: Input = { type: 'askCleanup', lane: 'main', path: '/ws', files: ['new.ts'], filesHash: 'hash' };
    given({}, ...waiting).refuses(ask, 'state_conflict');
    const asked = given({}, ...waiting, abort, ask)
      .records('approval.requested')
      .to({ run: 'aborted' });
    for (const [action, state] of [
      ['approve', 'approved'],
      ['reject', 'rejected'],
    ] as const) {
      asked
        .on(decision(action))
        .records('approval.resolved')
        .to({ run: 'aborted', approvals: { cleanup_forced: state } });
    }
    asked.refuses(decision('request_changes'), 'usage').refuses(decision('abort'), 'usage');
  });

  test('a cleanup gate about other files replaces the earlier one of its lane only', () => {
    const ask = (lane: string, filesHash: string): Input => {
      return { type: 'askCleanup', lane, path: `/ws/${lane}`, files: ['new.ts'], filesHash };
    };
    const asked = given(
      {},
      ...waiting,
      abort,
      ask('main', 'one'),
      ask('b', 'one'),
      ask('main', 'one'),
      ask('main', 'two'),
    );
    const gates = asked.run.approvals.filter(({ kind }) => kind === 'cleanup');
    expect(gates.map(({ phaseKey, state }) => [phaseKey, state])).toEqual([
      ['main', 'aborted'],
      ['b', 'pending'],
      ['main', 'pending'],
    ]);
    expect(gates[0]).toMatchObject({ resolvedAt: gates[2]?.createdAt, decision: null });
    const late = { action: 'approve', comment: null, clientToken: 'token' } as const;
    asked.refuses({ type: 'decide', approvalRequestId: gates[0]?.id ?? '', ...late }, 'decision_conflict');
  });
});
