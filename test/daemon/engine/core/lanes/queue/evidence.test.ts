import { describe, expect, it } from 'vitest';
import { resultOf } from '../../../../../../daemon/engine/core/lanes/queue/evidence.ts';
import type { Queue } from '../../../../../../daemon/engine/core/lanes/queue/queue.ts';
import type { MergeTest } from '../../../../../../schemas/events/lanes.ts';

const lane = (laneId: string) => ({ laneId, head: `${laneId}1` });
const [A, B, C] = [lane('a'), lane('b'), lane('c')];

const ABC: MergeTest = {
  base: 'main',
  lanes: [A, B, C],
  commits: ['main+a', 'main+ab', 'main+abc'],
  commit: 'main+abc',
  tree: 'abc',
  checks: 'npm test',
  nth: 1,
  failed: [0],
  results: [],
};

function given(tests: MergeTest[], acceptedRed: number[] | null = null): Queue {
  return { main: 'main', waiting: [], late: [], landed: [], tests, checks: 'npm test', batch: 3, acceptedRed };
}

describe('the result of a tree', () => {
  it.each([
    ['the lanes that were tested', 'main', [A, B, C], true],
    ['their rest after the first landed', 'main+a', [B, C], true],
    ['their last lane', 'main+ab', [C], true],
    ['the tested commit itself', 'main+abc', [], true],
    ['a part that was merged but not tested', 'main', [A, B], false],
    ['another order', 'main', [B, A, C], false],
    ['another base', 'other', [A, B, C], false],
    ['more lanes', 'main', [A, B, C, A], false],
    ['a new head of a lane', 'main', [A, B, { laneId: 'c', head: 'c2' }], false],
    ['the base of a test', 'main', [], false],
  ])('knows of %s: %s %j', (_, base, lanes, known) => {
    expect(resultOf(given([ABC]), base, lanes) !== undefined).toBe(known);
  });

  it('knows the base that was tested alone', () => {
    const test = { ...ABC, lanes: [], commits: [], commit: 'main', tree: 'main', failed: [] };
    expect(resultOf(given([test]), 'main', [])).toMatchObject({ commit: 'main', failed: [] });
  });

  it('finds the rest after a lane that changed nothing', () => {
    const test = { ...ABC, commits: ['main', 'main+b', 'main+bc'], commit: 'main+bc' };
    expect(resultOf(given([test]), 'main', [B, C])).toMatchObject({ commit: 'main+bc' });
  });

  it('joins the runs of different merges that have one tree', () => {
    const other = {
      ...ABC,
      lanes: [B, A, C],
      commits: ['main+b', 'main+ba', 'main+bac'],
      commit: 'main+bac',
      nth: 2,
      failed: [],
    };
    expect(resultOf(given([ABC, other]), 'main', [A, B, C])).toMatchObject({ runs: 2, failed: [], flaky: true });
  });

  it('counts a run once that two merges share', () => {
    const other = { ...ABC, lanes: [B, A, C], commits: ['main+b', 'main+ba', 'main+bac'], commit: 'main+bac' };
    expect(resultOf(given([ABC, other]), 'main', [A, B, C])).toMatchObject({ runs: 1 });
  });

  it('has only the checks that failed in every run', () => {
    const again = { ...ABC, nth: 2, failed: [1] };
    expect(resultOf(given([{ ...ABC, failed: [0, 1] }, again]), 'main', [A, B, C])).toMatchObject({
      failed: [1],
      flaky: false,
    });
    expect(resultOf(given([ABC, again]), 'main', [A, B, C])).toMatchObject({ failed: [], flaky: true });
  });

  it('leaves out what a person accepted', () => {
    const result = resultOf(given([{ ...ABC, failed: [0, 2] }], [0]), 'main', [A, B, C]);
    expect(result).toMatchObject({ failed: [2] });
    expect(resultOf(given([ABC], [0]), 'main', [A, B, C])).toMatchObject({ failed: [], flaky: false });
  });

  it('ignores the tests of other checks', () => {
    expect(resultOf(given([{ ...ABC, checks: 'npm run lint' }]), 'main', [A, B, C])).toBeUndefined();
  });
});
