import { describe, expect, test } from 'vitest';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Approval } from '../../../daemon/core/run/state.ts';
import { questionOf } from '../../../daemon/sheet/question.ts';
import { consequencesOf } from '../../../schemas/gates/ownGates.ts';
import { gate, givenLanes } from '../api/runs/lanes/givenLanes.ts';
import { onlyReviewing, type Play, reviewing } from '../core/support/reviewStory.ts';

const ask = (gateKey: string, subject: Approval['subject'], over: Partial<Approval> = {}) =>
  questionOf(givenLanes({}), gate('g', { gateKey, subject, ...over }));
const pair = (a: string, b: string) => ({ a, b, reasons: [{ kind: 'file', files: ['x.ts'], count: 3 }] });

test.each([
  [
    'iterations_exhausted',
    { reason: 'after 3 iterations, 1 issue of the last one is open', issues: ['login fails'] },
    'after 3 iterations, 1 issue of the last one is open. login fails. Accept what is open?',
  ],
  [
    'iterations_exhausted',
    { reason: 'the template allows 5 iterations', issues: [], wanted: 'More.' },
    'the template allows 5 iterations. Leave the result as it is?',
  ],
  [
    'parallel_dag_approved',
    { pairs: [pair('one', 'two')] },
    'These tasks may write the same files, and the plan puts them in no order: one and two (both may write x.ts and 2 more). Put them in order?',
  ],
  [
    'probes_approved',
    { plan: 'p', probes: [{}, {}], limits: [] },
    'Run 2 commands of this repository, to see which of them work?',
  ],
  [
    'writeset_conflict',
    { paths: ['a.ts', 'b.ts'], with: ['lane-2'] },
    'lane-1 changed a.ts, b.ts. Its tasks do not name these files, and lane-2 may change them too. Allow it?',
  ],
  [
    'merge_conflict',
    { paths: ['a', 'b', 'c', 'd', 'e'], droppedTests: [] },
    'lane-1 conflicts with work that landed, in a, b, c and 2 more files. Its agents could not resolve it. Try again?',
  ],
  [
    'merge_conflict',
    { paths: ['a'], faults: ['The branch of the lane moved.', 'More.'], droppedTests: [] },
    'lane-1 conflicts with work that landed, in a. Its agents could not resolve it. devflow refused the last resolution: The branch of the lane moved. Try again?',
  ],
  [
    'merge_conflict',
    { paths: [], droppedTests: ['greets by name'] },
    'The agent of lane-1 resolved a conflict, and dropped greets by name. Accept that?',
  ],
  [
    'merge_failed',
    { ejections: [{}, {}] },
    'lane-1 came back from the merge queue 2 times, and its agent could not repair it. Try again?',
  ],
  [
    'merge_failed',
    { ejections: [], failed: [['npm', 'test']] },
    'lane-1 fails its checks (npm test), and its agent could not repair it. Try again?',
  ],
  ['merge_failed', { ejections: [] }, 'lane-1 fails its checks, and its agent could not repair it. Try again?'],
  [
    'base_red',
    { failed: [1], results: [{ argv: ['npm', 'run', 'lint'] }, { argv: ['npm', 'test'] }] },
    "The run's branch fails without any new work: npm test. Go on without requiring what fails?",
  ],
  [
    'review_unconverged',
    { reason: 'The last fix changed no file.', open: ['one', 'two', 'three', 'four', 'five'] },
    'The last fix changed no file. Still open: one, two, three and 2 more findings. Accept the change as it is?',
  ],
  [
    'review_dispute',
    { open: ['one', 'two', 'three', 'four'] },
    'The verifiers could not settle: one, two, three and 1 more finding. Dismiss them?',
  ],
])('the gate %s asks about its subject', (gateKey, subject, question) => {
  expect(ask(gateKey, subject)).toBe(question);
});

describe('the question about a review', () => {
  const look: Play['look'] = ({ scope, roleId }) => (scope === 'full' && roleId === 'reviewer#0' ? [{}] : []);
  const question = ({ run }: ReturnType<typeof reviewing>) => openGates(run).map((each) => questionOf(run, each));

  test('says what is open and why', () => {
    expect(question(reviewing({ look, prior: () => 'present', fixes: () => false }))).toEqual([
      'The last fix changed no file. Still open: high a.ts:10 It is wrong. Accept the change as it is?',
    ]);
  });

  test('names the check that fails', () => {
    const story = reviewing({ command: () => 1 }, {}, { review: { checks: 'verify', rounds: 2 } });
    expect(question(story)).toEqual([
      'All 2 rounds are used up, and something must still be fixed. Still open: the check npm test fails. Accept the change as it is?',
    ]);
  });

  test('names the finding that nobody could settle, and who judged it', () => {
    expect(question(reviewing({ look, verdict: () => 'cannot_tell' }))).toEqual([
      'high a.ts:10 It is wrong: verifier (gemini) and reviewer#1 (codex) could not settle it. Dismiss it?',
    ]);
  });

  test('of an older run names what the verifiers could not settle', () => {
    expect(question(reviewing({ look, verdict: () => 'cannot_tell' }, {}, { behaviour: 4 }))).toEqual([
      'The verifiers could not settle: high a.ts:10 It is wrong. Dismiss them?',
    ]);
  });
});

test('after a review the question is about the change, unless the run only reviews', () => {
  const accepts = { gateKey: 'accepted', subject: { producedBy: 'review' }, kind: 'gate', attempt: 2 } as const;
  const about = ({ run }: ReturnType<typeof reviewing>) =>
    questionOf(run, gate('g', { ...accepts, phaseKey: 'review' }));
  expect(about(reviewing({}))).toBe('Accept the reviewed change (review), attempt 2?');
  expect(about(onlyReviewing({}))).toMatch(/^Accept the result of ".+" \(review\), attempt 2\?$/);
});

test('a gate with an unknown subject still asks', () => {
  for (const key of ['parallel_dag_approved', 'writeset_conflict', 'merge_conflict', 'merge_failed', 'base_red'])
    expect(ask(key, {})).toMatch(/\?$/);
});

test('the recovery gate of an assignment names it', () => {
  const over = { kind: 'recovery', assignment: 'task-a', laneId: null } as const;
  expect(ask('recovery', { reason: 'The agent crashed' }, over)).toBe('build, task-a: The agent crashed. Try again?');
  expect(ask('recovery', { reason: 'The agent crashed' }, { ...over, assignment: null })).toBe(
    'The agent crashed. Try again?',
  );
});

test('approving dropped tests says that they are dropped', () => {
  const about = { gateKey: 'merge_conflict', kind: 'gate', laneId: 'lane-1', assignment: null } as const;
  expect(consequencesOf({ ...about, subject: { droppedTests: ['t'] } })?.approve).toMatch(/tests are dropped/);
  expect(consequencesOf({ ...about, subject: { droppedTests: [] } })?.approve).toMatch(/try again/);
});

test('a gate of a template needs no such words', () => {
  expect(consequencesOf({ gateKey: 'plan_approved', kind: 'gate', laneId: null, assignment: null })).toBeUndefined();
  expect(consequencesOf({ gateKey: 'recovery', kind: 'recovery', laneId: null, assignment: null })).toBeUndefined();
});

test('where no agent works, devflow tries again, and takes no comment', () => {
  const about = { gateKey: 'recovery', kind: 'recovery', assignment: null } as const;
  expect(consequencesOf({ ...about, laneId: 'main' })).toMatchObject({
    request_changes: null,
    reject: expect.stringContaining('run ends'),
  });
  expect(consequencesOf({ ...about, laneId: 'lane-1' })).toMatchObject({
    request_changes: null,
    reject: expect.stringContaining('lane ends'),
  });
});
