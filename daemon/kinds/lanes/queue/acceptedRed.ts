import type { CheckResult, MergeTest } from '../../../../schemas/kinds/lanes/events.ts';
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
  if (!now || wasGreenSince(queue, check, was.landings)) return false;
  if (was.exitCode !== undefined && now.exitCode !== was.exitCode) return false;
  const { signs = [] } = now;
  return was.signs === undefined || signs.every((sign) => was.signs?.includes(sign));
}

/** True if a tip of `main` passed the check after the first `landings` landings. */
function wasGreenSince({ landed, main, tests, checks }: Queue, check: number, landings: number): boolean {
  const tips = [...landed.slice(landings).map(({ commit }) => commit), main];
  const ofChecks = tests.filter((test) => test.checks === checks);
  return tips.some((tip) => {
    const tree = ofChecks.find(({ commit }) => commit === tip)?.tree;
    const runs = ofChecks.filter((test) => test.tree === tree);
    return runs.length > 0 && runs.every(({ failed }) => !failed.includes(check));
  });
}

/** The question to a person about a red `main`. */
interface RedToAccept {
  failed: readonly number[];
  results: CheckResult[];
  landings: number;
  /** The checks whose exit code differs from run to run. */
  anyExit?: number[];
}

/**
 * The failure of `main`, as a person is asked about it. Exit code and output count only if both runs had the same.
 * Otherwise they would blame innocent lanes.
 */
export function redToAccept(
  { tests, landed }: Queue,
  { failed, test }: { failed: readonly number[]; test: MergeTest },
): RedToAccept {
  const runs = tests.filter(({ tree, checks }) => tree === test.tree && checks === test.checks);
  const isSame = (of: (results: readonly CheckResult[]) => unknown) =>
    new Set(runs.map(({ results }) => `${of(results)}`)).size === 1;
  const isStable = (check: number) => isSame((results) => results[check]?.signs);
  const results = test.results.map((result, check) => {
    const { signs, ...rest } = result;
    return signs && isStable(check) ? { ...rest, signs } : rest;
  });
  const anyExit = failed.filter((check) => !isSame((all) => all[check]?.exitCode));
  return { failed, results, landings: landed.length, ...(anyExit.length > 0 ? { anyExit } : {}) };
}

/** The failures that a person accepted. Runs that compare nothing, and gates of older ones, only name the checks. */
export function acceptedOf(red: Partial<RedToAccept>, { compares }: { compares: boolean }): AcceptedRed[] {
  const { failed = [], results = [], landings, anyExit = [] } = red;
  return failed.map((check) => {
    const result = results[check];
    if (!compares || result === undefined || landings === undefined) return { check, was: null };
    const exitCode = anyExit.includes(check) ? undefined : result.exitCode;
    return { check, was: { exitCode, signs: result.signs, landings } };
  });
}
