import { describe, expect, test } from 'vitest';
import { FALSE_KEEP } from '../../../../daemon/core/objective/noise.ts';
import { exceededBy } from '../../../../daemon/core/objective/studentT.ts';
import type { ObjectiveDocument } from '../../../../schemas/objective/readObjective.ts';
import { objectiveOf } from './givenObjective.ts';
import { boundsOf, type Measure, normal, playLoop, playOldLoop, seeded } from './noiseLoops.ts';

const LOOPS = 2000;
const OUT_OF_REACH: Partial<ObjectiveDocument> = { targets: [{ metric: 'sharpe', op: 'gte', value: 100 }] };

/** How many loops keep a change, out of so many that measure nothing but noise. */
function falseKeeps(
  play: typeof playLoop,
  given: Partial<ObjectiveDocument>,
  noise: (random: () => number) => Measure,
) {
  const objective = objectiveOf(given);
  const random = seeded(33);
  let kept = 0;
  for (let loop = 0; loop < LOOPS; loop += 1) if (play(objective, noise(random)).kept !== undefined) kept += 1;
  return { kept, ...boundsOf(kept, LOOPS) };
}

const ofOne = (random: () => number) => () => ({ sharpe: 1 + 0.2 * normal(random) });

describe('of loops of 20 iterations in which nothing changes, with the defaults', () => {
  test.each<[string, Partial<ObjectiveDocument>, (random: () => number) => Measure]>([
    ['a metric with normal noise', OUT_OF_REACH, ofOne],
    [
      'targets that the noise crosses',
      {
        targets: [
          { metric: 'sharpe', op: 'gte', value: 1 },
          { metric: 'mdd', op: 'lte', value: 0.2 },
        ],
      },
      (random) => () => ({ sharpe: 1 + 0.2 * normal(random), mdd: 0.2 + 0.05 * normal(random) }),
    ],
    ['a metric that is one of two values', OUT_OF_REACH, (random) => () => ({ sharpe: random() < 0.3 ? 2 : 1 })],
    ['a metric with rare large values', OUT_OF_REACH, (random) => () => ({ sharpe: 1 / (1 - 0.999 * random()) })],
  ])('%s: at most 5 %% keep a change', (_, given, noise) => {
    const { high } = falseKeeps(playLoop, given, noise);
    expect(high).toBeLessThan(FALSE_KEEP);
  });

  test('one look against the noise of the base, as older runs judge, keeps more', () => {
    expect(falseKeeps(playOldLoop, OUT_OF_REACH, ofOne).low).toBeGreaterThan(0.3);
  });
});

test('a gain that is large beside the noise is kept, and the rest costs little more than one look', () => {
  const random = seeded(7);
  const played = Array.from({ length: 1000 }, () =>
    playLoop(objectiveOf(OUT_OF_REACH), (nth) => ({ sharpe: normal(random) + (nth === 3 ? 6 : 0) })),
  );
  expect(boundsOf(played.filter(({ kept }) => kept === 3).length, played.length).low).toBeGreaterThan(0.8);
  const looks = played.reduce((sum, each) => sum + each.looks, 0);
  const iterations = played.reduce((sum, { kept }) => sum + (kept ?? 20), 0);
  expect(looks / iterations).toBeLessThan(2.5);
});

test('without noise every gain is kept', () => {
  expect(playLoop(objectiveOf(OUT_OF_REACH), (nth) => ({ sharpe: nth === 2 ? 1.0001 : 1 }))).toEqual({
    kept: 2,
    looks: 5,
  });
});

// The tables of the distribution, rounded to two digits.
test.each([
  [0.05, 1, 6.31],
  [0.025, 2, 4.3],
  [0.005, 5, 4.03],
  [0.0025, 5, 4.77],
  [0.001, 10, 4.14],
  [0.0005, 30, 3.65],
  [0.025, 9999, 1.97],
])('chance %d with %i degrees of freedom: %d', (chance, freedom, value) => {
  expect(exceededBy(chance, freedom)).toBeCloseTo(value, 2);
});
