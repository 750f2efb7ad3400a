import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Approval } from '../../../../daemon/core/run/state.ts';
import type { ApprovalDecisionAction } from '../../../../schemas/enums.ts';
import { describeBehaviours } from '../support/behaviours.ts';
import {
  abort,
  bound,
  dies,
  type Input,
  pause,
  resume,
  type Story,
  sent,
  stalls,
  started,
  valid,
} from '../support/given.ts';

describeBehaviours((given) => {
  const waiting = [bound, started, sent];
  const asking = given({}, ...waiting, stalls('planner', 'permission'));

  const gates = ({ run }: Story): Approval[] => run.approvals.filter(({ kind }) => kind === 'agent');
  const states = (story: Story) => gates(story).map(({ state }) => state);
  const decides =
    (action: ApprovalDecisionAction): Input =>
    ({ approvals }) => ({
      type: 'decide',
      action,
      comment: null,
      clientToken: 'token',
      approvalRequestId: approvals.at(-1)?.id ?? '',
    });

  test('opens a gate for an agent that asks, and closes it when the agent continues', () => {
    asking.records('run.stalled', 'approval.requested').to({ run: 'planning', approvals: { agent_asks: 'pending' } });
    const [gate] = gates(asking);
    const [session] = asking.run.sessions;
    expect(gate).toMatchObject({ phaseKey: 'spec', attempt: 1, artifactHash: null, timeoutMs: null });
    expect(gate?.subject).toEqual({
      sessionId: session?.id,
      cause: 'permission',
      detail: 'it is permission',
      reason: `planner (fake) asks for permission: it is permission; answer it in its pane: devflow attach ${session?.id.slice(0, 8)}`,
    });
    asking.on(valid).records('artifact.validated', 'session.idle');
  });

  test.each<[string, Input[], Approval['state'][]]>([
    ['it continues', [stalls('planner', null)], ['aborted']],
    ['it has written its artifact', [valid], ['aborted']],
    ['it has ended', [dies('planner')], ['aborted']],
    ['it asks something else', [stalls('planner', 'question')], ['aborted', 'pending']],
    ['its run has ended', [abort], ['aborted']],
    ['its usage limit came between', [stalls('planner', 'quota')], ['aborted']],
  ])('the gate is closed once %s, without a decision', (_, inputs, after) => {
    const then = asking.on(...inputs);
    expect(states(then)).toEqual(after);
    expect(gates(then)[0]).toMatchObject({ decision: null, resolvedAt: expect.any(String) });
    then.refuses(
      {
        type: 'decide',
        approvalRequestId: gates(then)[0]?.id ?? '',
        action: 'reject',
        comment: null,
        clientToken: 'x',
      },
      'decision_conflict',
    );
  });

  test('keeps the gate in a pause, and opens one for a question of the pause after the resume', () => {
    expect(states(asking.on(pause))).toEqual(['pending']);
    expect(states(asking.on(pause, resume))).toEqual(['pending']);
    expect(states(asking.on(pause, stalls('planner', null)))).toEqual(['aborted']);
    const inPause = given({}, ...waiting, pause, stalls('planner', 'question'));
    expect(states(inPause)).toEqual([]);
    expect(states(inPause.on(resume))).toEqual(['pending']);
  });

  test.each<ApprovalDecisionAction>(['approve', 'request_changes'])(
    '%s is refused: nothing is typed for anybody',
    (action) => {
      asking.refuses(decides(action), 'usage');
      asking.on(pause).refuses(decides(action), 'usage');
    },
  );

  test('accepts a decision to end the run', () => {
    asking.on(decides('reject')).records('approval.resolved', 'phase.failed', 'run.failed').to({ run: 'failed' });
    asking.on(decides('abort')).records('approval.resolved', 'phase.failed', 'run.aborted').to({ run: 'aborted' });
    expect(states(asking.on(pause, decides('reject')))).toEqual(['rejected']);
    expect(states(asking.on(decides('abort')))).toEqual(['aborted']);
  });

  test('opens a new gate for a repeated question', () => {
    const again = asking.on(stalls('planner', null), stalls('planner', 'permission'));
    expect(states(again)).toEqual(['aborted', 'pending']);
    expect(new Set(gates(again).map(({ id }) => id)).size).toBe(2);
  });

  describe('before the work has begun', () => {
    test.each<[string, Input[], number]>([
      ['a dialog at the start', [bound, stalls('planner', 'dialog')], 1],
      ['a log-in at the start', [bound, stalls('planner', 'login')], 1],
      ['a dialog before the prompt', [bound, started, stalls('planner', 'dialog')], 1],
      ['a log-in of a ready agent before its first prompt', [bound, started, stalls('planner', 'login')], 1],
      ["a person's own draft", [bound, started, stalls('planner', 'draft')], 0],
    ])('%s', (_, inputs, count) => {
      const then = given({}, ...inputs);
      expect(states(then)).toEqual(Array.from({ length: count }, () => 'pending'));
      expect(states(then.on(stalls('planner', null)))).toEqual(Array.from({ length: count }, () => 'aborted'));
    });
  });

  test('a log-in that a failed prompt shows has a recovery gate alone, whether an agent gate was there or not', () => {
    const kinds = (story: Story) =>
      story.run.approvals.filter(({ state }) => state === 'pending').map(({ kind }) => kind);
    const login = stalls('planner', 'login');
    expect(kinds(given({}, ...waiting, login))).toEqual(['recovery']);
    expect(kinds(given({}, bound, started, login, sent, login))).toEqual(['recovery']);
  });

  test('does not block due effects', () => {
    const before = given({}, bound, started);
    const keys = (story: Story) => decide(story.run).map(({ key }) => key);
    expect(keys(before.on(stalls('planner', 'dialog')))).toEqual(keys(before));
  });
});
