import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Manifest } from '../../../../schemas/contracts/handover/manifest/manifest.ts';
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

const manifestFor = (path: string): Manifest => ({
  expected_paths: [path],
  min_file_count: 1,
  commit_message_pattern: '.',
  bash_syntax_check: [],
  forbidden_paths: [],
  must_contain: [],
});
const planOf = (...paths: string[]) => ({
  planVersion: '1.7',
  sourceFindings: [],
  steps: [
    ...paths.map((path, index) => ({ number: index + 1, title: path, line: 9, manifest: manifestFor(path) })),
    { number: paths.length + 1, title: 'Unread', line: 99, manifest: null },
  ],
});

/** The artifact is valid, and its data are these. */
const writes =
  (data: unknown): Input =>
  (run) => {
    const outcome = done('awaitArtifact');
    const found = typeof outcome === 'function' ? outcome(run) : outcome;
    if (found.type !== 'artifactFound' || !found.verdict.valid) throw new TypeError('no artifact is awaited');
    return { ...found, verdict: { ...found.verdict, data } };
  };

const dueCommit = ({ run }: Story) => {
  const [effect] = decide(run);
  if (effect?.type !== 'commitWork') throw new TypeError('commitWork is not due');
  return effect;
};

const valid = done('awaitArtifact');
const published = done('publishArtifact');
const PLANNED = { template: 'planned' } as const;
const briefed: Input[] = [bound, started, sent, valid, published, committed];
/** The plan with these steps is approved. */
const planned = (...paths: string[]) =>
  given(PLANNED, ...briefed, sent, writes(planOf(...paths)), published, committed, approve);
const executed: Input[] = [started, sent, valid];

test('HC-8.5 the phase that carries out the plan is compared with its manifests, from the commit of the plan on', () => {
  const story = planned('a.ts', 'b.ts').on(...executed);
  const manifests = {
    since: 'commit-plan-1',
    steps: [
      { step: 1, manifest: manifestFor('a.ts') },
      { step: 2, manifest: manifestFor('b.ts') },
    ],
  };
  expect(dueCommit(story)).toMatchObject({ since: 'commit-plan-1', wantsChanges: false, manifests });
  const again = story.on(committed, decision('request_changes', 'Otherwise.'), sent, valid);
  expect(dueCommit(again)).toMatchObject({ since: 'commit-execute-1', manifests });
});

test('HC-8.5 the steps that name their files become commits', () => {
  const story = planned('a.ts', 'b.ts').on(...executed);
  expect(dueCommit(story).eachStep).toEqual([
    { step: 1, title: 'a.ts', paths: ['a.ts'] },
    { step: 2, title: 'b.ts', paths: ['b.ts'] },
  ]);
  const brief = given(PLANNED, bound, started, sent, valid, published);
  expect(dueCommit(brief).eachStep).toBeUndefined();
});

test('HC-8.5 a reviewer is told which steps do not keep to their manifests', () => {
  const other = done('awaitArtifact', 1);
  const first = given({ template: 'pipeline' }, ...briefed, approve, sent, valid, published, committed, ...executed);
  const blocked = first.on(committed, sent, other, published, committed);
  const mended = blocked.on(sent, writes(planOf('c.ts')), published, committed, sent, valid);
  const audited =
    (result: 'pass' | 'fail'): Input =>
    (run) => {
      const outcome = typeof committed === 'function' ? committed(run) : committed;
      if (outcome.type !== 'workCommitted') throw new TypeError(outcome.type);
      const audits = [{ step: 1, result, faults: ['c.ts does not exist'] }];
      return { ...outcome, work: { ...outcome.work, audits } };
    };
  const told = ({ run }: Story) => {
    const prompt = decide(run).find(({ type }) => type === 'sendPrompt');
    return prompt?.type === 'sendPrompt' ? prompt.envelope.instructions : '';
  };
  expect(told(mended.on(audited('fail')))).toContain(
    'These steps do not keep to theirs:\n- step 1: c.ts does not exist',
  );
  expect(told(mended.on(audited('pass')))).not.toContain('manifests');
});

test('HC-8.5 a phase that writes a handover is compared with nothing', () => {
  const brief = given(PLANNED, bound, started, sent, valid, published);
  expect(dueCommit(brief).manifests).toBeUndefined();
  const plan = brief.on(committed, sent, writes(planOf('a.ts')), published);
  expect(dueCommit(plan).manifests).toBeUndefined();
});

test('HC-8.5 the newest plan counts, and without one there is nothing to compare with', () => {
  const other = done('awaitArtifact', 1);
  const first = given({ template: 'pipeline' }, ...briefed, approve, sent, valid, published, committed, ...executed);
  expect(dueCommit(first).manifests).toBeUndefined();
  const blocked = first.on(committed, sent, other, published, committed);
  const mended = blocked.on(sent, writes(planOf('c.ts')), published, committed, sent, valid);
  expect(dueCommit(mended).manifests).toMatchObject({ since: 'commit-remediate-1', steps: [{ step: 1 }] });
});

test('HC-8.5 a plan without a readable manifest, and another convention, promise nothing', () => {
  expect(dueCommit(planned().on(...executed)).manifests).toBeUndefined();
  const cycle = given({ template: 'cycle' }, bound, ...executed);
  expect(dueCommit(cycle)).toMatchObject({ wantsChanges: true, manifests: undefined });
});
