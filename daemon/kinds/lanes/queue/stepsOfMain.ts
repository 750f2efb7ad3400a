import { landingsAfter } from './landedSince.ts';
import type { LandedLane, Queue } from './queue.ts';

/** One step of `main`: the lanes that it brought, none if somebody else moved the branch. */
export interface StepOfMain {
  lanes: readonly string[];
  /** The tip of `main` after it. */
  commit: string;
}

/**
 * The steps of `main` from `base` to its tip. Undefined if `base` is not the tip, and no recorded landing began or ended
 * there. Lanes that landed together have a step each, if a test merged them one by one.
 */
export function stepsOfMain(queue: Queue, base: string): StepOfMain[] | undefined {
  const isKnown = ({ before, commit }: LandedLane) => before === base || commit === base;
  if (base !== queue.main && !queue.landed.some(isKnown)) return undefined;
  const steps: StepOfMain[] = [];
  let tip = base;
  for (const { lanes, before, commit } of batchesOf(landingsAfter(queue.landed, base))) {
    if (before !== tip) steps.push({ lanes: [], commit: before });
    const commits = commitsBetween(queue, lanes, before, commit);
    if (commits) steps.push(...lanes.map((laneId, at) => ({ lanes: [laneId], commit: commits[at] ?? commit })));
    else steps.push({ lanes, commit });
    tip = commit;
  }
  return tip === queue.main ? steps : [...steps, { lanes: [], commit: queue.main }];
}

interface Batch {
  lanes: string[];
  before: string;
  commit: string;
}

/** The lanes that landed in one move of the branch. */
function batchesOf(landed: readonly LandedLane[]): Batch[] {
  const batches: Batch[] = [];
  for (const { laneId, before, commit } of landed) {
    const last = batches.at(-1);
    if (last?.before === before && last.commit === commit) last.lanes.push(laneId);
    else batches.push({ lanes: [laneId], before, commit });
  }
  return batches;
}

/** The commit after each lane, from the test that merged them. */
function commitsBetween(
  { tests }: Queue,
  lanes: readonly string[],
  before: string,
  commit: string,
): string[] | undefined {
  for (const test of tests) {
    const commits = [test.base, ...test.commits];
    const isPart = (at: number) =>
      commits[at] === before &&
      commits[at + lanes.length] === commit &&
      lanes.every((laneId, nth) => test.lanes[at + nth]?.laneId === laneId);
    const start = commits.findIndex((_, at) => isPart(at));
    if (start >= 0) return commits.slice(start + 1, start + 1 + lanes.length);
  }
  return undefined;
}
