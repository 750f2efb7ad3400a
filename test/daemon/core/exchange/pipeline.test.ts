import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Observed } from '../../../../daemon/core/run/worktreeState.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import {
  approve,
  bound,
  committed,
  decision,
  done,
  given,
  type Input,
  type Story,
  sent,
  started,
} from '../support/given.ts';
import { driftsAt, errorRecord, resultsOf, worktreeAt } from '../support/outcomes.ts';

const PIPELINE = { template: 'pipeline' } as const;
const valid = done('awaitArtifact');
const other = done('awaitArtifact', 1);
const published = done('publishArtifact');
const brief = (result: Input): Input[] => [bound, started, sent, result, published, committed];
const research: Input[] = [sent, valid, published, committed];
const toReview = [...brief(valid), approve, ...research, started, sent, valid, committed];
const reviewed = (result: Input): Input[] => [sent, result, published, committed];

const paths = ({ run }: Story) => run.published.map(({ path }) => path.split('/').slice(-1)[0]);

test('HC-8.1 a phase publishes its artifact before it commits', () => {
  const story = given(PIPELINE, bound, started, sent, valid).decides('publishArtifact');
  const [effect] = decide(story.run);
  expect(effect).toMatchObject({ contract: 'handover/brief@1', over: null });
  story.on(published).records('artifact.published').decides('commitWork');
});

test('HC-8.3 what is published is the project directory that the prompt named', () => {
  const story = given(PIPELINE, bound, started);
  const [effect] = decide(story.run);
  const directory = story.run.exchangePaths[0];
  expect(directory).toMatch(/^\.claude\/projects\/\d{4}-\d\d-\d\d-[a-z0-9-]+\/$/);
  expect(effect?.type === 'sendPrompt' && effect.envelope.instructions).toContain(directory);
});

test('research is skipped if the brief names no topic, and the event says why', () => {
  const story = given(PIPELINE, ...brief(other), approve);
  story.to({ phases: { research: 'skipped', execute: 'running' } });
  const skipped = story.events.find(({ type }) => type === 'phase.skipped');
  expect(skipped?.payload).toMatchObject({ evidence: 'research_topics: 0' });
});

test('HC-8.4 a review that allows skips the remediation and ends the loop', () => {
  const story = given(PIPELINE, ...toReview, ...reviewed(valid));
  story.to({ phases: { remediate: 'skipped', verify: 'awaiting_approval' } });
  expect(story.run.iterations).toMatchObject([{ isResolved: true }]);
  expect(paths(story)).toEqual(['brief.md', '01-research.md', 'review.md']);
});

test.each([
  ['the verdict BLOCK', 1],
  ['a blocker, whatever the verdict is', 2],
])('HC-8.4 %s leads to a remediation, and back to the execution', (_, nth) => {
  const blocked = given(PIPELINE, ...toReview, ...reviewed(done('awaitArtifact', nth)));
  blocked.to({ phases: { remediate: 'running' } });
  const again = blocked.on(sent, valid, published, committed);
  again.to({ phases: { execute: 'running', review: 'pending', remediate: 'pending' } });
  expect(again.run.iterations[0]?.issues).toEqual([`BLOCKER ${'B'.repeat(40)}: It is wrong.`]);
  expect(paths(again)).toContain('plan.md');
  const allowed = again.on(sent, valid, committed, ...reviewed(valid));
  allowed.to({ phases: { remediate: 'skipped', verify: 'awaiting_approval' } });
});

test('HC-8.4 the number of rounds is that of the template', () => {
  const remediated: Input[] = [sent, valid, published, committed];
  const once = given(PIPELINE, ...toReview, ...reviewed(other), ...remediated);
  const twice = once.on(sent, valid, committed, ...reviewed(other), ...remediated);
  twice.to({ run: 'paused', approvals: { iterations_exhausted: 'pending' } });
});

test('HC-8.3 a file in the place of an artifact is never overwritten: a person moves it away', () => {
  const refused = given(PIPELINE, bound, started, sent, valid, done('publishArtifact', 1));
  refused.to({ run: 'paused', phases: { brief: 'failed' }, approvals: { recovery: 'pending' } });
  expect(refused.run.approvals[0]?.subject).toMatchObject({ code: 'contract_drifted' });
  refused.on(approve).decides('publishArtifact');
});

/** The next phase finds another brief than devflow published. */
const drifted =
  (found: string | null, storedPath: string | null, data: unknown = { frontmatter: { research_topics: 0 } }): Input =>
  (run) => {
    const [due] = decide(run);
    if (due?.type !== 'inspectWorktree') throw new TypeError('inspectWorktree is not due');
    const [file] = due.published;
    if (!file || !run.decided) throw new TypeError('nothing is published');
    const errors = storedPath === null ? [{ path: 'slug', message: 'is missing', code: 'BRIEF_MISSING_FIELD' }] : [];
    const drift = { contract: file.contract, path: file.path, published: file.sha256, found, errors, storedPath };
    return {
      type: 'worktreeRead',
      key: due.key,
      worktree: run.decided,
      drifts: [{ ...drift, data }],
    };
  };
/** Somebody removed the published file of this name. */
const removed =
  (name: string): Input =>
  (run) => {
    const [due] = decide(run);
    const file = due?.type === 'inspectWorktree' && due.published.find(({ path }) => path.endsWith(name));
    if (!due || !file) throw new TypeError(`${name} is not published`);
    return { type: 'worktreeRead', key: due.key, worktree: worktreeAt('head'), drifts: driftsAt(file).slice(-1) };
  };
const atResearch = () => given(PIPELINE, ...brief(valid)).onAlone(approve);

test('HC-8.3 a changed file is an event and a gate before the next phase reads', () => {
  const story = atResearch().onAlone(drifted('theirs', '/kept'));
  story.records('contract.drifted', 'phase.started', 'phase.failed', 'approval.requested');
  story.to({ run: 'paused', approvals: { contract_drift: 'pending' } });
  const taken = story.on(approve).to({ phases: { research: 'running' } });
  expect(taken.run.published).toMatchObject([{ sha256: 'theirs', drift: null }]);
  expect(taken.run.phases[0]?.assignments[0]?.artifact).toMatchObject({ hash: 'theirs', storedPath: '/kept' });
});

test('HC-8.3 a file that names another project is not right for its run, and cannot be taken', () => {
  const elsewhere = { frontmatter: { project_dir: '.claude/projects/2026-01-01-other/' } };
  const story = atResearch().onAlone(drifted('theirs', '/kept', elsewhere));
  expect(story.run.approvals.at(-1)?.subject).toMatchObject({
    isInvalid: true,
    findings: [{ path: expect.stringMatching(/brief\.md project_dir$/) }],
  });
  story.refuses(approve, 'usage');
});

describe('HC-8.3 an approval of a changed file, which changed once more', () => {
  const story = atResearch().onAlone(drifted('theirs', '/kept'));
  const { contract = '', path = '', sha256 = '' } = story.run.published[0] ?? {};
  const facts = { contract, path, published: sha256, errors: [] };
  const approving = (drifts: NonNullable<Observed['drifts']>) => {
    const signal = typeof approve === 'function' ? approve(story.run) : approve;
    const observed = { commits: [], lostArtifacts: [], drifts };
    return onSignal(story.run, { ...signal, observed } as Signal, story.run.updatedAt);
  };

  test('is refused, and a new gate asks about what is there now', () => {
    const errors = [{ path: 'slug', message: 'is missing' }];
    const result = approving([{ ...facts, found: 'later', errors, storedPath: null }]);
    expect(result).toMatchObject({ refused: { code: 'changes_under_decision' } });
    const [gate, ...others] = openGates('refused' in result && result.replacement ? result.replacement.run : story.run);
    expect(gate).toMatchObject({ gateKey: 'contract_drift', subject: { isInvalid: true, paths: [path] } });
    expect(others).toEqual([]);
  });

  test('is refused without a new gate, if it is as devflow published it', () => {
    const result = approving([]);
    expect(result).toMatchObject({ refused: { code: 'changes_under_decision' } });
    expect('refused' in result && result.replacement).toBeFalsy();
  });

  test('is taken, if it is what the gate shows', () => {
    expect(approving([{ ...facts, found: 'theirs', storedPath: '/kept' }])).not.toHaveProperty('refused');
  });
});

test('HC-8.3 a person may want back what devflow published', () => {
  const story = atResearch().onAlone(drifted('theirs', '/kept'), decision('request_changes', 'Put it back.'));
  story.decides('publishArtifact');
  expect(decide(story.run)).toMatchObject([{ over: 'theirs' }]);
  const restored = story.on(published).records('artifact.published', 'phase.started');
  restored.decides('sendPrompt');
  expect(restored.run.published).toMatchObject([{ drift: null, isRestored: false }]);
});

/** Somebody else's file is there instead, when devflow's should go back. */
const refusedWith =
  (nth: number): Input =>
  (run) => {
    const [due] = decide(run);
    if (due?.type !== 'publishArtifact') throw new TypeError('publishArtifact is not due');
    const outcome = resultsOf(due, run)[nth];
    if (outcome?.type !== 'publishingRefused') throw new TypeError(`outcome ${nth} is no refusal`);
    return outcome;
  };
const wantsBack = decision('request_changes', 'Put it back.');

test.each([
  ['valid', 2, undefined],
  ['not valid', 3, 'usage'],
  ['gone', 4, 'usage'],
] as const)('HC-8.3 a file that is %s once more, before it could go back, is asked about again', (_, nth, refusal) => {
  const story = atResearch().onAlone(drifted('mine', '/kept'), wantsBack, refusedWith(nth));
  story.records('contract.drifted', 'phase.started', 'phase.failed', 'approval.requested');
  story.to({ run: 'paused', phases: { research: 'failed' }, approvals: { contract_drift: 'pending' } });
  if (refusal) story.refuses(approve, refusal);
  else story.onAlone(approve).to({ phases: { research: 'running' } });
  const again = story.onAlone(decision('request_changes', 'Put it back.')).decides('publishArtifact');
  again.on(published).to({ run: 'executing', phases: { research: 'running' } });
});

test('HC-8.3 a file that cannot be written again is a gate, and not the end of the run', () => {
  const full = (run: Run) => {
    const [due] = decide(run);
    return { type: 'effectFailed' as const, key: due?.key ?? '', error: errorRecord('disk_full') };
  };
  const story = atResearch().onAlone(drifted('mine', '/kept'), wantsBack, full);
  story.to({ run: 'paused', approvals: { recovery: 'pending' } });
  story.onAlone(approve).decides('publishArtifact').on(published).records('artifact.published');
});

test('HC-8.3 devflow has its bytes still when the phase that wrote them begins again', () => {
  const remediated: Input[] = [sent, valid, published, committed];
  const atRemediate = given(PIPELINE, ...toReview, ...reviewed(other), ...remediated, sent, valid, committed)
    .on(sent, other, published)
    .onAlone(committed);
  atRemediate.to({ phases: { remediate: 'pending' } });
  const story = atRemediate.onAlone(removed('plan.md'), wantsBack).decides('publishArtifact');
  story.on(published).to({ phases: { remediate: 'running' } });
});

test.each([
  ['gone', null],
  ['not valid', 'theirs'],
])('HC-8.3 a file that is %s cannot be taken', (_, found) => {
  const story = atResearch().onAlone(drifted(found, null));
  expect(story.run.approvals.at(-1)?.subject).toMatchObject({ isInvalid: true });
  story.refuses(approve, 'usage');
  story.onAlone(decision('request_changes', 'Put it back.')).decides('publishArtifact');
});
