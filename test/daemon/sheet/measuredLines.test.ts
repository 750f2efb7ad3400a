import { expect, test } from 'vitest';
import type { Approval } from '../../../daemon/core/run/state.ts';
import { measuredLines } from '../../../daemon/sheet/measuredLines.ts';
import { questionOf } from '../../../daemon/sheet/question.ts';
import { given } from '../core/support/given.ts';
import { begin, play } from '../core/support/measured.ts';

const SPLITS = { validation: { from: '2022', to: '2022' }, holdout: { from: '2023', to: '2023' } };

test('a gate shows base and best, the state that is decided on, its targets, and that the holdout is closed', () => {
  const { story } = play(begin({ splits: SPLITS, stop: { maxIterations: 2 } }), [[1], [1.5], [1.2]]);
  expect(measuredLines(story.run)).toEqual([
    'Decided on: iteration 1, commit commit-make-',
    'sharpe (higher is better): 1 at the base, 1.5 at best',
    'target missed: sharpe must be at least 2 and is 1.5',
    'holdout: not opened',
  ]);
  expect(questionOf(story.run, story.run.approvals.at(-1) as Approval)).toBe(
    '2 iterations did not meet the objective; in the best state, sharpe must be at least 2 and is 1.5. Go on with the best iteration?',
  );
});

test('what the holdout said is there, without its bounds', () => {
  const { story } = play(begin({ splits: SPLITS }), [[1], [2.5]], 1);
  const measured = measuredLines(story.run);
  expect(measured.slice(-2)).toEqual([
    'target met: sharpe must be at least 2 and is 2.5',
    'holdout missed: sharpe must be at least 2 and is 1',
  ]);
  expect(measured.join()).not.toContain('2023');
});

test('a run that is not measured, or not yet, has nothing to show', () => {
  expect(measuredLines(given({ template: 'development' }).run)).toEqual([]);
  expect(measuredLines(begin().run)).toEqual([]);
});
