import { describe, expect, test } from 'vitest';
import { holdoutStateOf, isHoldoutSpent } from '../../../../daemon/core/objective/holdout.ts';
import type { Evaluation } from '../../../../daemon/core/run/evaluation.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import type { Measurement } from '../../../../schemas/objective/measured.ts';
import { begin } from '../support/measured.ts';
import { crashed, measured } from './givenObjective.ts';

/** The objective wants a Sharpe ratio of 2. */
const [MET, MISSED] = [measured({ sharpe: 2 }), measured({ sharpe: 1 })];
const BROKEN = crashed('exit 1');

const runs = new Map(([5, 6, 7] as const).map((behaviour) => [behaviour, begin({}, behaviour).run]));

/**
 * A run whose evaluations, one for each iteration from 0 on, saw this on the holdout; null: it was closed for them. A person
 * granted the iterations in `granted`.
 */
function opened(behaviour: 5 | 6 | 7, seen: readonly (Measurement | null)[], granted: readonly number[] = []): Run {
  const run = runs.get(behaviour);
  if (!run) throw new TypeError('there is a run of each behaviour');
  const evaluations = seen.map((measurement, iteration) => ({
    id: `evaluation ${iteration}`,
    iteration,
    sameAs: null,
    measurements: measurement ? [{ part: 'holdout', measurement }] : [{ part: 'train', measurement: MET }],
  })) as unknown as Evaluation[];
  const iterations = seen.map((_, nth) => ({
    nth,
    extension: granted.includes(nth) ? 'Once more.' : null,
    startedAt: '',
    endedAt: null,
    isResolved: null,
    issues: [],
  }));
  return { ...run, evaluations, iterations };
}
const at = (run: Run, iteration: number) => run.evaluations[iteration] as Evaluation;

describe('the holdout is', () => {
  test.each<[string, Behaviour & (5 | 6 | 7), (Measurement | null)[]]>([
    ['closed', 7, [null, null]],
    ['closed', 5, [null, null]],
    ['met', 7, [MISSED, MET]],
    ['missed', 7, [MET, MISSED]],
    ['missed', 7, [null, BROKEN]],
    ['spent', 7, [MET, null]],
    ['spent', 6, [MISSED, null]],
    // What an earlier evaluation saw counted for all later ones.
    ['met', 5, [MET, null]],
    ['missed', 5, [MISSED, null]],
    ['missed', 5, [BROKEN, null]],
  ])('%s for the last evaluation with behaviour %i: %j', (state, behaviour, seen) => {
    const run = opened(behaviour, seen);
    expect(holdoutStateOf(run, at(run, seen.length - 1))).toBe(state);
  });
});

describe('the holdout is spent', () => {
  test.each<[string, boolean, Run]>([
    ['by another evaluation', true, opened(7, [MET, null])],
    ['not by the evaluation itself', false, opened(7, [null, MET])],
    ['not by a measurement that failed', false, opened(7, [BROKEN, null])],
    ['by a measurement that failed, before behaviour 6', true, opened(5, [BROKEN, null])],
    ['not after a person granted more', false, opened(7, [MET, null], [1])],
    ['after a person granted more, before behaviour 6', true, opened(5, [MET, null], [1])],
  ])('%s', (_, isSpent, run) => {
    expect(isHoldoutSpent(run, at(run, 1))).toBe(isSpent);
  });

  test('although a person granted more after the evaluation', () => {
    const run = opened(7, [MET, null, null], [2]);
    expect(isHoldoutSpent(run, at(run, 1))).toBe(true);
    expect(isHoldoutSpent(run, at(run, 2))).toBe(false);
  });
});
