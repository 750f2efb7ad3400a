import { resultOf, type TreeResult } from './evidence.ts';
import { nextForSuspect } from './nextForSuspect.ts';
import { type MergeStep, type Queue, testStep, type WaitingLane } from './queue.ts';

/**
 * The next step of the merge queue. It tests the first waiting lanes together, and lands them if all checks pass. If not, it
 * searches for the lane that makes `main` red: it tests the first half of the lanes. A green half lands; a red half is
 * searched. No lane is blamed before `main` itself is known to be green.
 */
export function nextMerge(all: Queue): MergeStep {
  const queue = { ...all, waiting: lanesOfStep(all) };
  const [first] = queue.waiting;
  if (!first) return { do: 'nothing' };
  const { green, red, most } = knownPrefixes(queue);
  if (green) return land(queue, green);
  if (!red) return testFirst(queue, most);
  const step = nextForBase(queue);
  if (step) return step;
  return red.count === 1 ? nextForSuspect(queue, first, red.result) : testFirst(queue, Math.ceil(red.count / 2));
}

/** A lane that comes late must not replace a running test by a larger one. */
function lanesOfStep({ waiting, late }: Queue): readonly WaitingLane[] {
  const inTime = waiting.filter(({ laneId }) => !late.includes(laneId));
  return inTime.length > 0 ? inTime : waiting.slice(0, 1);
}

interface Prefix {
  /** So many first lanes, merged in order. */
  count: number;
  result: TreeResult;
}

/** The most first lanes that are known to be green together, and the fewest that are known to be red. */
function knownPrefixes(queue: Queue): { green?: Prefix; red?: Prefix; most: number } {
  // Without checks nothing can be red, so a small batch would only cost time.
  const most = queue.checks === '' ? queue.waiting.length : Math.min(queue.batch, queue.waiting.length);
  const known: Prefix[] = [];
  for (let count = 1; count <= most; count += 1) {
    const result = resultOf(queue, queue.main, queue.waiting.slice(0, count));
    if (result) known.push({ count, result });
  }
  const isGreen = ({ result }: Prefix) => result.failed.length === 0;
  return { green: known.findLast(isGreen), red: known.find((prefix) => !isGreen(prefix)), most };
}

function testFirst({ main, waiting }: Queue, count: number): MergeStep {
  return testStep(main, waiting.slice(0, count), 1);
}

function land({ main, waiting }: Queue, { count, result }: Prefix): MergeStep {
  const lanes = waiting.slice(0, count).map(({ laneId }) => laneId);
  return { do: 'land', from: main, to: result.commit, lanes, flaky: result.flaky ? lanes : [] };
}

/** Once lanes on `main` are red: find out whether `main` is red without them. Undefined if it is green. */
function nextForBase(queue: Queue): MergeStep | undefined {
  const result = resultOf(queue, queue.main, []);
  if (!result) return testStep(queue.main, [], 1);
  if (result.failed.length === 0) return undefined;
  // An accepted check is not required any more. So a person is asked only about what failed twice.
  return result.runs < 2
    ? testStep(queue.main, [], 2)
    : { do: 'askBaseRed', test: result.newest, failed: result.failed };
}
