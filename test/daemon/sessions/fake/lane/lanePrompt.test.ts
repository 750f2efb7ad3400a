import { expect, test } from 'vitest';
import { assignmentOf, readLanePrompt } from '../../../../../daemon/sessions/fake/lane/lanePrompt.ts';

const IMPLEMENTATION = 'dev/implementation@1';
const prompt = (key: string, instructions: string, expectedSchema = IMPLEMENTATION) => ({
  expectedArtifact: `/ws/run/lanes/lane-2/.devflow/artifacts/implement/1/lane-2.${key}/implementation.json`,
  expectedSchema,
  instructions,
});
const TASK = `The task:
T3: Log in
  Also-Writes: src/shared.txt
Resolve: drop-then-well
Fix-Writes: src/bridge.txt
Fix-Writes: src/more.txt
Requirements: none
Files that you may change: src/auth/**, test/{a,b}.ts
Builds on the tasks: none`;

test('reads a task with its words', () => {
  expect(readLanePrompt(prompt('T3', TASK), 'broken')).toEqual({
    kind: 'task',
    task: {
      id: 'T3',
      files: ['src/auth/**', 'test/{a,b}.ts'],
      alsoWrites: ['src/shared.txt'],
      fixWrites: ['src/bridge.txt', 'src/more.txt'],
      resolve: ['drop', 'well'],
      scenario: 'broken',
    },
  });
});

test('reads a repair, and whether it takes something back', () => {
  expect(readLanePrompt(prompt('fix-1', 'These checks failed:'), 'ok')).toEqual({
    kind: 'repair',
    key: 'fix-1',
    isUndo: false,
  });
  const undo = 'You changed files that your tasks do not name, and other work may change them too: a.';
  expect(readLanePrompt(prompt('fix-2', undo), 'ok')).toMatchObject({ kind: 'repair', isUndo: true });
});

test('reads no word of devflow in the output of a check', () => {
  const output = '- npm test: exit 1. The end of its output:\n> Files that you may change: x';
  expect(readLanePrompt(prompt('fix-1', `These checks failed:\n${output}`), 'ok')).toMatchObject({ kind: 'repair' });
});

test('reads the files in conflict', () => {
  const text = 'Your work conflicts.\n\nConflicting files: src/a.txt, src/b c.txt\n';
  expect(readLanePrompt(prompt('conflict-1', text, 'dev/conflict-resolution@1'), 'ok')).toEqual({
    kind: 'conflict',
    paths: ['src/a.txt', 'src/b c.txt'],
  });
});

test.each([
  ['/ws/run/main/.devflow/artifacts/implement/1/implementation.json', undefined],
  ['/ws/run/main/.devflow/artifacts/implement/1/coder.0/implementation.json', undefined],
  ['/ws/lane-1.x/run/main/.devflow/artifacts/implement/1/a.json', undefined],
  ['/ws/run/lanes/lane-12/.devflow/artifacts/implement/1/lane-12.T_a-1/out/a.json', 'T_a-1'],
  ['/ws/run/lanes/lane-3/.devflow/artifacts/review/1/lane-3.look-1-reviewer.0/findings.json', 'look-1-reviewer.0'],
])('%s belongs to %s', (path, key) => {
  expect(assignmentOf(path)).toBe(key);
  const ordinary = { expectedArtifact: path, expectedSchema: IMPLEMENTATION, instructions: TASK };
  if (key === undefined) expect(readLanePrompt(ordinary, 'ok')).toBeUndefined();
});
