import { expect, test } from 'vitest';
import { measuredMarkdown, measuredPart } from '../../../daemon/report/measured.ts';
import { recoveriesOf } from '../../../daemon/report/recoveries.ts';
import { approve, decision, given } from '../core/support/given.ts';
import { begin, play } from '../core/support/measured.ts';

const HOLDOUT = {
  train: { from: '2020', to: '2021' },
  validation: { from: '2022', to: '2022' },
  holdout: { from: '2023', to: '2023' },
};

test('says what was reached, and what each iteration measured', () => {
  const { story } = play(begin(), [[1, 1.2, 0.8], [1.3], ['exit 1'], [1.6], [2.5]]);
  expect(measuredMarkdown(measuredPart(story.run))).toMatchInlineSnapshot(`
    "sharpe (higher is better): 1 at the base, 2.5 in the best state, iteration 4. The loop ended: the objective is met.

    Targets of the best state:

    - met: sharpe must be at least 2 and is 2.5

    | iteration | state | value | gain | expected | seen | hypothesis | why |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    | base | base | 1 ± 0.2 |  |  |  |  | the base has sharpe 1 |
    | 1 | undone | 1.3 | +0.3 |  |  |  | sharpe gains 0.3, and more than 0.611883 is needed to be no accident |
    | 2 | failed | - |  |  |  |  | exit 1 |
    | 3 | kept | 1.6 ± 0 | +0.6 |  |  |  | sharpe gains 0.6, and more than 0.432666 was needed |
    | 4 | met | 2.5 ± 0 | +0.9 |  |  |  | it meets every target, and the best iteration missed 1 |"
  `);
});

test('says why the loop ended without its objective', () => {
  const { story } = play(begin({ stop: { maxIterations: 1 } }), [[1], [1.5]]);
  expect(measuredMarkdown(measuredPart(story.run)).split('\n')[0]).toMatchInlineSnapshot(
    `"sharpe (higher is better): 1 at the base, 1.5 in the best state, iteration 1. The loop ended: 1 iteration did not meet the objective; in the best state, sharpe must be at least 2 and is 1.5."`,
  );
});

test('says that nothing could be measured', () => {
  const { story } = play(begin(), [['exit 127']]);
  expect(measuredMarkdown(measuredPart(story.run)).split('\n')[0]).toBe(
    'sharpe (higher is better) could not be measured.',
  );
});

test('has the holdout once the run has ended', () => {
  const { story } = play(begin({ splits: HOLDOUT }), [[1], [2.5]]);
  expect(measuredPart(story.run)?.holdout).toBeNull();
  const ended = play(story.on(approve), [[1], [2.5]]).story;
  expect(ended.run.state).toBe('completed');
  expect(measuredPart(ended.run)?.holdout).toMatchObject([{ metric: 'sharpe', state: 'met' }]);
});

test('counts no iteration as a recovery', () => {
  const { story } = play(begin(), [[1], [1.5], [2.5]]);
  expect(story.run.phases.map(({ attempts }) => attempts)).toContain(2);
  expect(recoveriesOf({ run: story.run, events: [] })).toEqual([]);
  const failed = play(begin({ stop: { maxIterations: 1 } }), [[1], [1.5]]).story.on(decision('reject', 'no')).run;
  expect(recoveriesOf({ run: failed, events: [] })).toEqual([]);
});

test('a run that is not measured has none', () => {
  const { run } = given({ template: 'withoutPlan' });
  expect([measuredPart(run), measuredMarkdown(null)]).toEqual([null, '']);
});
