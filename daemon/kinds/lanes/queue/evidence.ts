import type { LaneHead, MergeTest } from '../../../../schemas/kinds/lanes/events.ts';
import { failuresThatCount } from './acceptedRed.ts';
import type { Queue } from './queue.ts';

/** All runs of the checks at one tree together. */
export interface TreeResult {
  /** The merge with this tree. */
  commit: string;
  /** Checks that failed in every run and that no person accepted. None: the tree is green. */
  failed: readonly number[];
  /** Green, but not in every run. */
  flaky: boolean;
  runs: number;
  newest: MergeTest;
}

/** The known result for the tree of these lanes merged onto `base`; undefined if it was never tested. */
export function resultOf(queue: Queue, base: string, lanes: readonly LaneHead[]): TreeResult | undefined {
  const tests = queue.tests.filter(({ checks }) => checks === queue.checks);
  const commit = commitOf(tests, base, lanes);
  const tree = tests.find((test) => test.commit === commit)?.tree;
  // Different merges can have the same tree.
  const runs = tests.filter((test) => test.tree === tree);
  const newest = runs.at(-1);
  if (commit === undefined || !newest) return undefined;
  const required = runs.map((test) => failuresThatCount(queue, test));
  const failed = required.reduce((always, each) => always.filter((check) => each.includes(check)));
  const flaky = failed.length === 0 && required.some((each) => each.length > 0);
  return { commit, failed, flaky, runs: Math.max(...runs.map(({ nth }) => nth)), newest };
}

/**
 * The commit of these lanes merged onto `base`, if a test made it. Every part of a tested chain counts. After its first lane
 * landed, the rest starts at the new tip of `main`.
 */
function commitOf(tests: readonly MergeTest[], base: string, lanes: readonly LaneHead[]): string | undefined {
  if (lanes.length === 0) return base;
  for (const test of tests) {
    const commits = [test.base, ...test.commits];
    const start = commits.findIndex((commit, at) => commit === base && startsWith(test.lanes.slice(at), lanes));
    if (start >= 0) return commits[start + lanes.length];
  }
  return undefined;
}

function startsWith(chain: readonly LaneHead[], lanes: readonly LaneHead[]): boolean {
  return lanes.every(({ laneId, head }, at) => chain[at]?.laneId === laneId && chain[at].head === head);
}
