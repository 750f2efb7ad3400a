import { expect, test } from 'vitest';
import { decide as decideEffects } from '../../../../daemon/core/decide.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Observed } from '../../../../daemon/core/run/worktreeState.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import { describeBehaviours } from '../support/behaviours.ts';
import {
  approve,
  commandOk,
  decision,
  firstPhaseDone,
  type Input,
  phaseDone,
  type Story,
  started,
} from '../support/given.ts';
import { worktreeAt } from '../support/outcomes.ts';
import { phaseFails } from '../support/records.ts';

const seen = (head: string, files: string[] = [], commits: string[] = []): Observed => {
  return { worktree: worktreeAt(head, files), commits, lostArtifacts: [] };
};

/** An approval with the state that the interpreter read. */
const approveSeeing =
  (observed: Observed, clientToken = 'token'): Input =>
  (run) => {
    const approvalRequestId = openGates(run)[0]?.id ?? 'none';
    return { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken, observed };
  };

describeBehaviours((given) => {
  const atSpec = () => given({ template: 'development' }, ...firstPhaseDone);
  const atChanges = () => atSpec().on(approve, ...phaseDone, approve, started, ...phaseDone);
  const headAt = ({ run }: Story) => (openGates(run)[0]?.subject.worktree as { head: string } | undefined)?.head;

  /** The error of a refused approval, and the run after it. */
  function refused(story: Story, observed: Observed) {
    const approvalRequestId = openGates(story.run)[0]?.id ?? 'none';
    const signal = { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken: 't' } as const;
    const result = onSignal(story.run, { ...signal, observed }, story.run.updatedAt);
    if (!('refused' in result)) throw new TypeError('the approval was not refused');
    return { error: result.refused, run: result.replacement?.run, old: approvalRequestId };
  }

  test('a gate binds head and tree of the branch, and its key depends on them', () => {
    expect(headAt(atSpec())).toBe('commit-spec-1');
    expect(headAt(atChanges())).toBe('commit-implement-1');
    expect(openGates(atChanges().run)[0]?.subject.diff).toEqual({ from: 'base0000', to: 'commit-implement-1' });
    const waits = atSpec().on(approve, ...phaseDone, approve, started, ...phaseDone.slice(0, 2));
    const gateOf = (head: string) => {
      const story = waits.onAlone((run) => workCommitted(run.phases[2]?.id ?? '', head));
      return story.onAlone((): Outcome => {
        const [phase] = story.run.phases.slice(-1);
        return { type: 'worktreeRead', key: `inspectWorktree:${phase?.id}:1:running:0`, worktree: worktreeAt(head) };
      });
    };
    const [one, other] = [gateOf('head one'), gateOf('head other')].map(({ run }) => openGates(run)[0]?.id);
    expect(one).toEqual(expect.any(String));
    expect(one).not.toBe(other);
  });

  function workCommitted(phaseId: string, head: string): Outcome {
    const work = { commit: head, files: 1, insertions: 1, deletions: 0 };
    return { type: 'workCommitted', phaseId, attempt: 1, work, worktree: worktreeAt(head) };
  }

  test('accepts an approval of the present state', () => {
    atChanges()
      .on(approveSeeing(seen('commit-implement-1')))
      .to({ run: 'completed' });
  });

  test('refuses an approval after new commits, names them and opens a new gate', () => {
    const { error, run, old } = refused(atChanges(), seen('commit-later', [], ['commit-soon', 'commit-later']));
    expect(error).toMatchObject({ code: 'changes_under_decision', data: { commits: ['commit-soon', 'commit-later'] } });
    expect(error.message).toContain(' Commits that the gate did not show: commit-soon, commit-later.');
    expect(run?.state).toBe('awaiting_approval');
    expect(run?.approvals.find(({ id }) => id === old)?.state).toBe('aborted');
    const gate = run && openGates(run)[0];
    expect(gate).toMatchObject({ gateKey: 'changes_approved', subject: { worktree: { head: 'commit-later' } } });
    expect(gate?.subject.diff).toEqual({ from: 'base0000', to: 'commit-later' });
    expect(error.recoveryHint).toContain(gate?.id.slice(0, 8));
  });

  test('refuses an approval after an edit of the worktree', () => {
    const { error, run } = refused(atChanges(), seen('commit-implement-1', ['src/a.ts']));
    expect(error.code).toBe('changes_under_decision');
    expect(error.message).not.toContain('did not show');
    expect(run && openGates(run)[0]?.subject.worktree).toMatchObject({ files: ['src/a.ts'] });
  });

  test('decides the new gate; the old gate names its replacement', () => {
    const story = atChanges();
    const { run, old } = refused(story, seen('commit-later'));
    if (!run) throw new TypeError('no new gate opened');
    const late = onSignal(run, { ...decide(old), observed: seen('commit-later') }, run.updatedAt);
    const gate = openGates(run)[0]?.id ?? '';
    expect('refused' in late && late.refused).toMatchObject({ code: 'decision_conflict' });
    expect('refused' in late && late.refused.message).toContain(gate.slice(0, 8));
    const next = onSignal(run, { ...decide(gate), observed: seen('commit-later') }, run.updatedAt);
    expect('run' in next && next.run.state).toBe('completed');
  });

  test('opens a new gate each time a branch moves, also when it moves back', () => {
    const first = atChanges();
    const away = refused(first, seen('commit-later')).run;
    if (!away) throw new TypeError('no new gate opened');
    const gate = openGates(away)[0]?.id ?? '';
    const back = onSignal(away, { ...decide(gate), observed: seen('commit-implement-1') }, away.updatedAt);
    const ids = 'replacement' in back ? back.replacement?.run.approvals.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(ids?.length);
  });

  function decide(approvalRequestId: string) {
    return { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken: 'u' } as const;
  }

  test('request_changes and reject do not need an unchanged worktree', () => {
    const moved = seen('commit-later');
    const with_ = (action: 'request_changes' | 'reject') => (run: Story['run']) => {
      const approvalRequestId = openGates(run)[0]?.id ?? '';
      return { type: 'decide', approvalRequestId, action, comment: 'no', clientToken: 't', observed: moved } as const;
    };
    atChanges().on(with_('request_changes')).to({ run: 'executing' });
    atChanges().on(with_('reject')).to({ run: 'failed' });
  });

  test('refuses to approve a lost artifact, but accepts a request for changes', () => {
    const lost: Observed = { ...seen('commit-spec-1'), lostArtifacts: ['/w/spec.json'] };
    const { error, run } = refused(atSpec(), lost);
    expect(error.code).toBe('artifact_changed');
    expect(run).toBe(undefined);
    atSpec().on(decision('request_changes', 'again')).to({ run: 'planning' });
  });

  test('starts the next phase from the approved state, or opens a recovery gate', () => {
    const approved = atSpec().onAlone(approveSeeing(seen('commit-spec-1')));
    approved.decides('inspectWorktree').to({ phases: { spec: 'completed', plan: 'pending' } });
    const inspection = (head: string) => (run: Story['run']) => {
      const [phase] = run.phases.filter(({ key }) => key === 'plan');
      return {
        type: 'worktreeRead',
        key: `inspectWorktree:${phase?.id}:0:pending:0`,
        worktree: worktreeAt(head),
      } as const;
    };
    approved.onAlone(inspection('commit-spec-1')).records('phase.started').decides('sendPrompt');
    const moved = approved.onAlone(inspection('commit-later'));
    moved.to({ run: 'paused', phases: { plan: 'failed' }, approvals: { recovery: 'pending' } });
    expect(openGates(moved.run)[0]?.subject).toMatchObject({ code: 'changes_under_decision' });
    // An approval there accepts the present state and is bound to it.
    moved.on(approveSeeing(seen('commit-later'))).decides('sendPrompt');
    expect(refused(moved, seen('commit-latest')).error.code).toBe('changes_under_decision');
  });

  test('keeps the recorded behaviour of runs with behaviour 1', () => {
    const old = given({ template: 'development', behaviour: 1 }, ...firstPhaseDone);
    expect(openGates(old.run)[0]?.subject.worktree).toBe(undefined);
    old.onAlone(approve).records('approval.resolved', 'run.resumed', 'phase.completed', 'phase.started');
  });

  test('starts the first command after an approval only on the approved state', () => {
    const shape = { template: 'gateThenCommands' } as const;
    const approved = given(shape, ...firstPhaseDone, approve);
    const [effect] = decideEffects(approved.run);
    expect(effect).toMatchObject({ type: 'runCommand', from: { approved: { head: 'commit-implement-1' } } });
    const moved = approved.on({ type: 'worktreeMoved', key: effect?.key ?? '', worktree: worktreeAt('commit-later') });
    moved.recordsBy(phaseFails('command.failed'));
    moved.to({ run: 'paused', approvals: { recovery: 'pending' } });
    moved.on(approveSeeing(seen('commit-later'))).decides('runCommand');
    const [second] = decideEffects(approved.on(commandOk).run);
    expect(second).toMatchObject({ type: 'runCommand', from: null });
  });
});
