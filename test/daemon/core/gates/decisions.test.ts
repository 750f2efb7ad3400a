import { describe, expect, test } from 'vitest';
import { openGates } from '../../../../daemon/core/run/query.ts';
import { waiting } from '../support/agent.ts';
import { describeBehaviours } from '../support/behaviours.ts';
import {
  abort,
  approve,
  commandFails,
  committed,
  decision,
  expired,
  failed,
  firstPhaseDone,
  now,
  pause,
  resume,
  sent,
  valid,
} from '../support/given.ts';
import { leavesGate } from '../support/records.ts';

describeBehaviours((given) => {
  describe('gates', () => {
    test('of one phase open one after the other', () => {
      const first = given({ template: 'twoGates' }, ...firstPhaseDone).to({ approvals: { plan_approved: 'pending' } });
      const second = first
        .on(approve)
        .recordsBy(leavesGate('approval.requested'))
        .to({
          run: 'awaiting_approval',
          phases: { plan: 'awaiting_approval' },
          approvals: { budget_approved: 'pending' },
        });
      second.on(approve).to({ run: 'executing', phases: { plan: 'completed', implement: 'running' } });
      second.on(decision('request_changes'), sent, valid, committed).to({
        phases: { plan: 'awaiting_approval' },
        approvals: { plan_approved: 'pending', budget_approved: 'changes_requested' },
      });
    });

    test('answer a repeated token with its decision; another or a late action is a conflict', () => {
      const gate = given({}, ...firstPhaseDone);
      const [yes, no, other] = [approve, decision('reject'), decision('approve', null, 'other')].map((each) =>
        now(gate, each),
      );
      if (!yes || !no || !other) throw new TypeError('no decisions');
      const passed = gate.on(yes);
      passed.on(yes).records();
      passed.refuses(no, 'decision_conflict').refuses(other, 'decision_conflict');
      gate.refuses(
        { type: 'decide', approvalRequestId: 'nowhere', action: 'approve', comment: null, clientToken: 't' },
        'not_found',
      );
    });

    test('cannot be decided while the run is paused; a resume does not pass a recovery gate', () => {
      given({}, ...firstPhaseDone, pause)
        .to({ approvals: { spec_approved: 'pending' } })
        .refuses(approve, 'state_conflict');
      given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone, expired).refuses(
        (run) => ({
          type: 'decide',
          approvalRequestId: run.approvals[0]?.id ?? '',
          action: 'approve',
          comment: null,
          clientToken: 't',
        }),
        'decision_conflict',
      );
      given({}, ...waiting, failed('awaitArtifact', 'disk_full')).refuses(resume, 'gate_pending');
    });

    test('refuse signals that do not fit the state', () => {
      given({}).refuses(pause, 'state_conflict').refuses(resume, 'state_conflict');
      given({}, abort).refuses(abort, 'state_conflict').refuses(pause, 'state_conflict');
    });

    test('stay open if their timer fails', () => {
      const gate = given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone).decides('expireApproval');
      for (const code of ['disk_full', 'internal_state_corruption'] as const) {
        gate
          .on(failed('expireApproval', code))
          .records()
          .to({ run: 'awaiting_approval' })
          .on(approve)
          .to({ run: 'planning' });
      }
    });

    test('show the artifact, the commit and the commands', () => {
      const { run } = given({ template: 'withoutPlan' }, ...firstPhaseDone, commandFails);
      const gate = openGates(run)[0];
      expect(gate?.artifactHash).toBe(run.artifacts[0]?.hash);
      expect(gate?.subject).toMatchObject({
        producedBy: 'implement',
        work: { commit: 'commit-implement-1' },
        diff: { from: 'base0000', to: 'commit-implement-1' },
        commands: [{ argv: ['npm', 'test'], exitCode: 1 }],
      });
    });
  });
});
