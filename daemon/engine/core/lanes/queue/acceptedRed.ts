import type { CheckResult, MergeTest } from '../../../../../schemas/events/lanes.ts';
import type { AcceptedRed, Queue } from './queue.ts';

/** The failed checks of a run, without those that fail no worse than a person accepted. */
export function failuresThatCount(queue: Queue, { failed, results }: Pick<MergeTest, 'failed' | 'results'>): number[] {
  return failed.filter((check) => {
    const accepted = queue.acceptedRed?.findLast((each) => each.check === check);
    return !accepted || !isAsAccepted(queue, accepted, results[check]);
  });
}

function isAsAccepted(queue: Queue, { check, was }: AcceptedRed, now: CheckResult | undefined): boolean {
  if (was === null) return true;
  if (now?.exitCode !== was.exitCode || wasGreenSince(queue, check, was.landings)) return false;
  const { signs = [] } = now;
  return was.signs === undefined || signs.every((sign) => was.signs?.includes(sign));
}

/** Whether a tip of `main` passed the check after so many landings. */
function wasGreenSince({ landed, main, tests, checks }: Queue, check: number, landings: number): boolean {
  const tips = [...landed.slice(landings).map(({ commit }) => commit), main];
  const ofChecks = tests.filter((test) => test.checks === checks);
  return tips.some((tip) => {
    const tree = ofChecks.find(({ commit }) => commit === tip)?.tree;
    const runs = ofChecks.filter((test) => test.tree === tree);
    return runs.length > 0 && runs.every(({ failed }) => !failed.includes(check));
  });
}

/**
 * How `main` fails, as a person is asked about it. What the output says counts only if both runs said the same; what differs
 * from run to run would blame innocent lanes.
 */
export function redToAccept(
  { tests, landed }: Queue,
  { failed, test }: { failed: readonly number[]; test: MergeTest },
): { failed: readonly number[]; results: CheckResult[]; landings: number } {
  const runs = tests.filter(({ tree, checks }) => tree === test.tree && checks === test.checks);
  const isStable = (check: number) => new Set(runs.map(({ results }) => `${results[check]?.signs}`)).size === 1;
  const results = test.results.map((result, check) => {
    const { signs, ...rest } = result;
    return signs && isStable(check) ? { ...rest, signs } : rest;
  });
  return { failed, results, landings: landed.length };
}
