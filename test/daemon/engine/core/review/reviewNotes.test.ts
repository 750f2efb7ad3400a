import { expect, test } from 'vitest';
import { questionOf } from '../../../../../daemon/api/approvals/question.ts';
import { findingViews } from '../../../../../daemon/engine/core/review/findingViews.ts';
import { reviewNotes } from '../../../../../daemon/engine/core/review/reviewNotes.ts';
import { openGates } from '../../../../../daemon/engine/core/run/query.ts';
import { newRun } from '../support/run.ts';
import { reviewing } from './reviewStory.ts';

const one = { 'reviewer#0': 'fake', 'reviewer#1': 'fake', verifier: 'fake' } as const;

test('a run without a review has nothing to note', () => {
  expect(reviewNotes(newRun().run)).toEqual([]);
});

test('one backend is no second opinion', () => {
  expect(reviewNotes(reviewing({}, one).run)).toEqual([
    'All reviewers run on one backend (fake), so their agreement proves little.',
  ]);
  expect(reviewNotes(reviewing({}).run)).toEqual([]);
});

test('a large change without findings is a low signal', () => {
  expect(reviewNotes(reviewing({ changedLines: 500 }).run)).toEqual([
    'Low signal: nobody found anything in 500 changed lines.',
  ]);
});

test('the question of a gate says what is open and why', () => {
  const { run } = reviewing({
    look: ({ scope }) => (scope === 'full' ? [{}] : []),
    prior: () => 'present',
    fixes: () => false,
  });
  const [gate] = openGates(run);
  expect(gate && questionOf(run, gate)).toBe(
    'The last fix changed no file. Open: high a.ts:10 It is wrong.. Accept the change as it is?',
  );
  expect(findingViews(run)).toMatchObject([{ state: 'confirmed', isBlocker: true, verifierStatus: 'confirmed' }]);
});
