import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { boundarySubject } from '../../../../daemon/core/run/boundary.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import { boundWorktree } from '../../../../daemon/core/run/worktreeState.ts';
import { approve, bound, committed, decision, done, given, type Input, sent, started } from '../support/given.ts';
import { worktreeAt } from '../support/outcomes.ts';

const AUTODEV = { template: 'autodev' } as const;
const made: Input[] = [sent, done('awaitArtifact'), committed];
const atBoundary = () => given(AUTODEV, bound, started, ...made, ...made);

test('AD-35 a boundary is a gate before the next phase begins, with the question of the flow', () => {
  const story = atBoundary().to({
    run: 'awaiting_approval',
    phases: { review: 'awaiting_approval', status: 'pending' },
  });
  expect(story.run.approvals.at(-1)).toMatchObject({ gateKey: 'session_boundary' });
  expect(story.run.approvals.at(-1)?.subject.boundary).toMatchObject({ next: expect.any(String) });
});

test('AD-35 a boundary that the flow does not declare has no question', () => {
  const { run } = atBoundary();
  const [first] = run.phases;
  expect(first && Object.keys(boundarySubject(run, first))).toEqual([]);
});

test('AD-35 approval starts the next phase in a new conversation', () => {
  expect(decide(atBoundary().on(approve).run)).toMatchObject([{ type: 'recoverSession', how: 'rebootstrap' }]);
});

test('AD-35 a person may continue in the same conversation, and the choice is an event', () => {
  const story = atBoundary().on(decision('request_changes', 'I have context left.'));
  story.records('approval.resolved', 'phase.completed', 'phase.started').decides('sendPrompt');
});

test('AD-30 the gate after the review of a configuration is not passed before a person has confirmed it', () => {
  const story = atBoundary();
  expect(story.run.approvals.at(-1)?.subject.confirms).toEqual({
    path: '_docs/_repo-config.yaml',
    key: 'confirmed_by_user',
  });
  const observed = (isUnconfirmed: boolean) => ({ commits: [], lostArtifacts: [], isUnconfirmed });
  for (const action of ['approve', 'request_changes'] as const) {
    const decided = (isUnconfirmed: boolean): Input => {
      const before = decision(action, 'Go on.');
      return (run) =>
        ({ ...(typeof before === 'function' ? before(run) : before), observed: observed(isUnconfirmed) }) as Signal;
    };
    story.refuses(decided(true), 'autodev_transition');
    story.on(decided(false)).to({ phases: { status: 'running' } });
  }
});

/** A decision with the worktree that the interpreter read. */
const seeing =
  (action: 'approve' | 'request_changes', files: string[], head?: string): Input =>
  (run) => {
    const before = decision(action, 'Go on.');
    const signal = typeof before === 'function' ? before(run) : before;
    const bound = boundWorktree(openGates(run)[0]?.subject ?? {})?.head ?? '';
    const observed = { worktree: worktreeAt(head ?? bound, files), commits: [], lostArtifacts: [] };
    return { ...signal, observed } as Signal;
  };
const CONFIG = '_docs/_repo-config.yaml';

describe.each(['approve', 'request_changes'] as const)('AD-30 AD-35 %s at the gate after the review', (action) => {
  test('is one decision, about the edit that the gate asks for, too', () => {
    const story = atBoundary().onAlone(seeing(action, [CONFIG]));
    const bound = boundWorktree(atBoundary().run.approvals.at(-1)?.subject ?? {});
    expect(story.run.decided).toEqual(worktreeAt(bound?.head ?? '', [CONFIG]));
    const key = decide(story.run).find(({ type }) => type === 'inspectWorktree')?.key ?? '';
    const read = (files: string[]): Input => {
      return { type: 'worktreeRead', key, worktree: worktreeAt(bound?.head ?? '', files) };
    };
    story.onAlone(read([CONFIG])).records('phase.started');
    story.onAlone(read([CONFIG, 'late'])).records('phase.started', 'phase.failed', 'approval.requested');
  });

  test('is refused if anything else changed', () => {
    atBoundary().refuses(seeing(action, [CONFIG, 'other']), 'changes_under_decision');
    atBoundary().refuses(seeing(action, [CONFIG], 'another'), 'changes_under_decision');
  });
});

test('AD-30 AD-35 an older run compares the worktree at an approval, and at nothing else', () => {
  const story = given({ ...AUTODEV, behaviour: 6 }, bound, started, ...made, ...made);
  story.refuses(seeing('approve', [CONFIG]), 'changes_under_decision');
  story.onAlone(seeing('request_changes', [CONFIG, 'other'], 'another'));
});

test('AD-30 older runs ask for no word in a file', () => {
  const story = given({ ...AUTODEV, behaviour: 5 }, bound, started, ...made, ...made);
  expect(story.run.approvals.at(-1)?.subject.confirms).toBeUndefined();
});

test('a person skips an optional phase before it begins, with a reason', () => {
  const story = given(AUTODEV, bound, { type: 'skip', phaseKey: 'review', reason: 'Nothing to review.' });
  story.records('phase.skipped').to({ phases: { review: 'skipped' } });
  expect(story.latest[0]?.payload).toMatchObject({ reason: 'Nothing to review.', evidence: 'a person' });
  expect(story.on({ type: 'skip', phaseKey: 'review', reason: 'Again.' }).latest).toEqual([]);
  // Nothing asks for a conversation, because the phase before the boundary did nothing.
  story.on(started, ...made).to({ phases: { status: 'running' } });
});

test.each([
  ['discover', 'usage'],
  ['nowhere', 'not_found'],
] as const)('a person cannot skip %s', (phaseKey, code) => {
  given(AUTODEV, bound).refuses({ type: 'skip', phaseKey, reason: 'No.' }, code);
});

test('a person cannot skip a phase that has begun', () => {
  given(AUTODEV, bound, started, ...made).refuses(
    { type: 'skip', phaseKey: 'review', reason: 'No.' },
    'state_conflict',
  );
});

test('AD-34 progress of the agent is an event, and the same progress is none', () => {
  const progress = { type: 'progress', number: 2, name: 'write-tests', detail: 'half' } as const;
  const story = given(AUTODEV, bound, started, sent, progress).records('phase.progressed');
  expect(story.run.phases[0]?.progress).toMatchObject({ number: 2, name: 'write-tests', detail: 'half' });
  expect(story.on(progress).latest).toEqual([]);
  story.on(done('awaitArtifact'), committed).to({ phases: { discover: 'completed' } });
});

test('there is no progress without a phase at work', () => {
  given(AUTODEV).refuses({ type: 'progress', number: 1, name: 'begin', detail: '' }, 'state_conflict');
});
