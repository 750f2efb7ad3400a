import { expect, test } from 'vitest';
import { reviewNotes } from '../../../../daemon/kinds/review/reviewNotes.ts';
import { reviewing } from '../../core/support/reviewStory.ts';
import { newRun } from '../../core/support/run.ts';

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

test('fake is no second opinion beside a real reviewer', () => {
  const fake = { 'reviewer#1': 'fake', verifier: 'fake' } as const;
  expect(reviewNotes(reviewing({}, fake).run)).toEqual([
    'All reviewers run on one backend (claude), so their agreement proves little.',
    'Only one agent can judge a finding.',
  ]);
});

test('a change with nothing to quote proves nothing', () => {
  const note =
    'Nobody had to quote anything: the change has no lines that an agent can read (binary, renamed or very long).';
  expect(reviewNotes(reviewing({ witnesses: [] }).run)).toEqual([note]);
});

test('one agent beside the only reviewer is the only judge', () => {
  const { run } = reviewing({});
  expect(reviewNotes({ ...run, bindings: run.bindings.filter(({ roleId }) => roleId !== 'reviewer#1') })).toEqual([
    'Only one agent can judge a finding.',
  ]);
});

test('a large change without findings is a low signal', () => {
  expect(reviewNotes(reviewing({ changedLines: 500 }).run)).toEqual([
    'Low signal: nobody found anything in 500 changed lines.',
  ]);
});
