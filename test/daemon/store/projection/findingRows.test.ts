import { expect, test } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { findingRow, findingRows } from '../../../../daemon/store/projection/findingRows.ts';
import { givenFinding } from '../../../helpers/givenFinding.ts';
import { reviewing } from '../../core/support/reviewStory.ts';

const run = { id: 'run', phases: [{ id: 'phase-1', key: 'review' }] } as unknown as Run;

test('a row has what is queried in columns, and the rest as details', () => {
  const row = findingRow(run, givenFinding({ evidence: ['one', 'two'] }));
  expect(row).toMatchObject({
    run_id: 'run',
    phase_id: 'phase-1',
    reviewer_role: 'reviewer#0',
    severity: 'high',
    file_path: 'src/greet.ts',
    line: 12,
    evidence: 'one\ntwo',
    verifier_status: 'confirmed',
    state: 'confirmed',
    details: { findingId: 'f1', endLine: 13, reporters: [{ backend: 'claude' }, { backend: 'codex' }] },
  });
  expect(row.details).not.toHaveProperty('summary');
  expect(findingRow(run, givenFinding({ evidence: [] })).evidence).toBeNull();
});

test('the row of a finding keeps its id while the finding moves', () => {
  const { id } = findingRow(run, givenFinding());
  expect(findingRow(run, givenFinding({ path: 'src/moved.ts', line: 90, state: 'fixed' })).id).toBe(id);
  expect(findingRow(run, givenFinding({ findingId: 'f2' })).id).not.toBe(id);
});

test('a finding that a step did not change is not written again', () => {
  const { run: reviewed } = reviewing({
    look: ({ scope }) => (scope === 'full' ? [{}, { line: 50 }] : []),
    fixed: () => [],
  });
  const touched = { ...reviewed, phases: reviewed.phases.map((phase) => ({ ...phase })) };
  const [before, after] = [findingRows.parts(reviewed), findingRows.parts(touched)];
  expect(after).toHaveLength(2);
  expect(after.every((finding, index) => finding === before[index])).toBe(true);
  expect(after.map((finding) => findingRows.row(touched, finding))).toMatchObject([{ line: 10 }, { line: 50 }]);
});

// A new fact of a view is no part of `details`: `run.verify` compares rows of old homes with the projection.
test('keeps the columns of a finding that an older devflow wrote', () => {
  const { run: reviewed } = reviewing({ look: ({ scope }) => (scope === 'full' ? [{}] : []) });
  const [finding] = findingRows.parts(reviewed);
  if (!finding) throw new Error('no finding');
  expect(Object.keys(findingRows.row(reviewed, finding).details ?? {}).toSorted()).toEqual([
    'duplicateOf',
    'endLine',
    'failure',
    'findingId',
    'history',
    'isAnchored',
    'isBlocker',
    'isLate',
    'isPreExisting',
    'quote',
    'reporters',
    'reproduce',
    'resolution',
    'symbol',
  ]);
});
