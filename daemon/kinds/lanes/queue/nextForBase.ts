import { resultOf } from './evidence.ts';
import type { MergeStep, Queue } from './queue.ts';
import { testStep } from './testStep.ts';

/** Once lanes on `main` are red: find out whether `main` is red without them. Undefined if it is green. */
export function nextForBase(queue: Queue): MergeStep | undefined {
  const result = resultOf(queue, queue.main, []);
  if (!result) return testStep(queue.main, [], 1);
  if (result.failed.length === 0) return undefined;
  // An accepted check is not required any more. So a person is asked only about what failed twice.
  return result.runs < 2
    ? testStep(queue.main, [], 2)
    : { do: 'askBaseRed', test: result.newest, failed: result.failed };
}
