import { describe, expect, it } from 'vitest';
import { acceptedOf, redToAccept } from '../../../../../daemon/kinds/lanes/queue/acceptedRed.ts';
import { resultOf } from '../../../../../daemon/kinds/lanes/queue/evidence.ts';
import type { AcceptedRed, Queue } from '../../../../../daemon/kinds/lanes/queue/queue.ts';
import type { MergeTest } from '../../../../../schemas/kinds/lanes/events.ts';

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

function given(tests: MergeTest[], acceptedRed: AcceptedRed[] | null = null): Queue {
  return {
    main: 'main',
    waiting: [],
    late: [],
    landed: [],
    tests,
    checks: 'npm test',
    batch: 3,
    acceptedRed,
    searches: true,
  };
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

  describe('with a check that a person let fail', () => {
    const WAS = { exitCode: 1, signs: ['FAIL a', 'FAIL b'], landings: 0 };
    const ended = (signs: string[] | undefined, exitCode = 1): MergeTest => {
      const facts = { argv: ['npm', 'test'], exitCode, reason: `exit ${exitCode}`, stdoutPath: '/o', stderrPath: '/e' };
      return { ...ABC, results: [signs ? { ...facts, signs } : facts] };
    };
    const failed = (test: MergeTest, was: AcceptedRed['was'], more: Partial<Queue> = {}) =>
      resultOf({ ...given([test], [{ check: 0, was }]), ...more }, 'main', [A, B, C])?.failed;

    it.each([
      ['it fails as it did', ended(['FAIL a', 'FAIL b']), WAS, []],
      ['less fails', ended(['FAIL b']), WAS, []],
      ['more fails', ended(['FAIL a', 'FAIL c']), WAS, [0]],
      ['it ends in another way', ended(['FAIL a'], 2), WAS, [0]],
      ['nobody knows what failed then', ended(['FAIL c']), { ...WAS, signs: undefined }, []],
      ['the run is older', ended(['FAIL c'], 2), null, []],
    ])('counts it only if it fails worse: %s', (_, test, was, expected) => {
      expect(failed(test, was)).toEqual(expected);
    });

    it('still requires all other checks', () => {
      expect(failed({ ...ended(['FAIL a']), failed: [0, 2] }, WAS)).toEqual([2]);
    });

    it('requires it again once a tip of the branch passed it', () => {
      const green = { ...ABC, lanes: [A], commits: ['main+a'], commit: 'main+a', tree: 'a', failed: [] };
      const tests = [ended(['FAIL a']), green];
      const landed = [{ laneId: 'a', before: 'main', commit: 'main+a' }];
      expect(failed(ended(['FAIL a']), WAS, { tests, landed })).toEqual([0]);
      expect(failed(ended(['FAIL a']), { ...WAS, landings: 1 }, { tests, landed })).toEqual([]);
    });
  });

  it('ignores the tests of other checks', () => {
    expect(resultOf(given([{ ...ABC, checks: 'npm run lint' }]), 'main', [A, B, C])).toBeUndefined();
  });
});

describe('a check that a person let fail', () => {
  const ended = (exitCode: number | null) => ({ argv: ['c'], exitCode, reason: '', stdoutPath: '', stderrPath: '' });
  const run = (commit: string, nth: number, exitCode: number | null): MergeTest => {
    const lanes = commit === 'main' ? [] : [A];
    const commits = lanes.map(() => commit);
    return { ...ABC, lanes, commits, commit, tree: commit, nth, failed: [0], results: [ended(exitCode)] };
  };
  const ofLane = [run('main+a', 1, 1), run('main+a', 2, 1)];

  it.each([
    ['fails worse with another exit code', [2, 2], [0]],
    ['may end with any exit code, if it did so without the lane', [1, 2], []],
    ['may end in time, if it did not without the lane', [1, null], []],
  ])('%s', (_, exitCodes, failed) => {
    const ofBase = exitCodes.map((exitCode, at) => run('main', at + 1, exitCode));
    const [, test = ABC] = ofBase;
    const red = redToAccept(given(ofBase), { failed: [0], test });
    const queue = given([...ofBase, ...ofLane], acceptedOf(red, { compares: true }));
    expect(resultOf(queue, 'main', [])).toMatchObject({ failed: [] });
    expect(resultOf(queue, 'main', [A])).toMatchObject({ failed });
  });
});
