import { resultOf, type TreeResult } from './evidence.ts';
import { landedSince } from './landedSince.ts';
import { type Eject, type MergeStep, type Queue, testStep, type WaitingLane } from './queue.ts';
import { stepsOfMain } from './stepsOfMain.ts';

/**
 * For a lane that fails only together with what landed since its base. A binary search finds the landing with which it
 * begins to fail: nine landings take at most four tests.
 */
export function nextForCulprit(queue: Queue, lane: WaitingLane, merged: TreeResult): MergeStep {
  const steps = queue.searches ? stepsOfMain(queue, lane.base) : undefined;
  if (!steps) return interaction(queue, lane, merged, landedSince(queue.landed, lane.base));
  // With the first `green` steps the lane passes, with `red` of them it fails.
  let green = 0;
  let red = steps.length;
  while (red - green > 1) {
    const middle = Math.floor((green + red) / 2);
    const { commit = queue.main } = steps[middle - 1] ?? {};
    const result = resultOf(queue, commit, [lane]);
    if (!result) {
      const possible = steps.slice(green, red).flatMap(({ lanes }) => lanes);
      return { ...testStep(commit, [lane], 1), onConflict: interaction(queue, lane, merged, possible) };
    }
    if (result.failed.some((check) => merged.failed.includes(check))) red = middle;
    else green = middle;
  }
  return interaction(queue, lane, merged, steps[red - 1]?.lanes ?? []);
}

function interaction({ main }: Queue, { laneId }: WaitingLane, merged: TreeResult, others: readonly string[]): Eject {
  const { newest: test, failed } = merged;
  return { do: 'eject', laneId, cause: 'interaction', base: main, with: [...others], test, failed };
}
