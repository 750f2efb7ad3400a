import { resultOf, type TreeResult } from './evidence.ts';
import { nextForCulprit } from './nextForCulprit.ts';
import { type MergeStep, type Queue, testStep, type WaitingLane } from './queue.ts';

/**
 * For a lane that makes `main` red. The checks run again, since they may be flaky. If they fail again, they run on the
 * lane alone, at the base it has. If the same check fails there too, the fault is its own.
 */
export function nextForSuspect(queue: Queue, lane: WaitingLane, merged: TreeResult): MergeStep {
  const { main } = queue;
  const { laneId, base } = lane;
  if (merged.runs < 2) return testStep(main, [lane], 2);

  const alone = resultOf(queue, base, [lane]);
  if (!alone) return testStep(base, [lane], 1);
  if (!alone.failed.some((check) => merged.failed.includes(check))) return nextForCulprit(queue, lane, merged);
  // A flaky check must not turn an interaction into a fault of the lane.
  if (alone.runs < 2) return testStep(base, [lane], 2);
  return { do: 'eject', laneId, cause: 'own', base: main, with: [], test: alone.newest, failed: alone.failed };
}
