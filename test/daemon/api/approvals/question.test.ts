import { expect, test } from 'vitest';
import { questionOf } from '../../../../daemon/api/approvals/question.ts';
import type { Approval } from '../../../../daemon/engine/core/run/state.ts';
import { consequencesOf } from '../../../../schemas/laneGates.ts';
import { gate, givenLanes } from '../runs/lanes/givenLanes.ts';

const ask = (gateKey: string, subject: Approval['subject'], over: Partial<Approval> = {}) =>
  questionOf(givenLanes({}), gate('g', { gateKey, subject, ...over }));
const pair = (a: string, b: string) => ({ a, b, reasons: [{ kind: 'file', files: ['x.ts'], count: 3 }] });

test.each([
  [
    'parallel_dag_approved',
    { pairs: [pair('one', 'two')] },
    'These tasks may write the same files, and the plan puts them in no order: one and two (both may write x.ts and 2 more). Put them in order?',
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
    { paths: [], droppedTests: ['greets by name'] },
    'The agent of lane-1 resolved a conflict, and dropped greets by name. Accept that?',
  ],
  [
    'merge_failed',
    { ejections: [{}, {}] },
    'lane-1 came back from the merge queue 2 times, and its agent could not repair it. Try again?',
  ],
  ['merge_failed', { ejections: [] }, 'lane-1 fails its checks, and its agent could not repair it. Try again?'],
  [
    'base_red',
    { failed: [1], results: [{ argv: ['npm', 'run', 'lint'] }, { argv: ['npm', 'test'] }] },
    "The run's branch fails without any new work: npm test. Go on without requiring what fails?",
  ],
])('the gate %s asks about its subject', (gateKey, subject, question) => {
  expect(ask(gateKey, subject)).toBe(question);
});

test('a lane gate with an unknown subject still asks', () => {
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
  const about = { gateKey: 'merge_conflict', kind: 'gate', assignment: null };
  expect(consequencesOf({ ...about, subject: { droppedTests: ['t'] } })?.approve).toMatch(/tests are dropped/);
  expect(consequencesOf({ ...about, subject: { droppedTests: [] } })?.approve).toMatch(/try again/);
});

test('a gate of a template needs no such words', () => {
  expect(consequencesOf({ gateKey: 'plan_approved', kind: 'gate', assignment: null })).toBeUndefined();
  expect(consequencesOf({ gateKey: 'recovery', kind: 'recovery', assignment: null })).toBeUndefined();
});
