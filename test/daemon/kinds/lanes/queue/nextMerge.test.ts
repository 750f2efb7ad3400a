import { describe, expect, it } from 'vitest';
import type { Truth } from './support/performer.ts';
import { BASE, Story } from './support/story.ts';

/** A rule of the check 0. */
const red = (...needs: string[]) => ({ check: 0, needs, unless: [] });
const FIRST = 'tree of base lane-1@1';

/** Lanes that all began at the first tip of `main` and finished in order. */
function given(lanes: number, truth: Partial<Truth> = {}, setup = { batch: 3 }): Story {
  const story = new Story(truth, setup);
  for (let lane = 1; lane <= lanes; lane += 1) story.enqueue(`lane-${lane}`, BASE);
  story.endStep();
  return story;
}

describe('the merge queue', () => {
  it('does nothing without lanes', () => {
    expect(given(0).settle()).toEqual([]);
  });

  it('lands a green batch with one test', () => {
    expect(given(4).settle()).toEqual([
      'test base lane-1@1 lane-2@1 lane-3@1',
      'land lane-1 lane-2 lane-3',
      'test ((lane-1@1 lane-2@1) lane-3@1) lane-4@1',
      'land lane-4',
    ]);
  });

  it('lands as many lanes as are known to be green', () => {
    const story = given(2);
    const { main, waiting } = story.queue;
    for (const count of [2, 1]) {
      const lanes = waiting.slice(0, count);
      const outcome = story.performer.test({ do: 'test', base: main, lanes, nth: 1 });
      if (outcome.type === 'tested') story.log.push(outcome);
    }
    expect(story.settle()).toEqual(['land lane-1 lane-2']);
  });

  it('lands all lanes in one step if there are no checks', () => {
    const story = new Story({ rules: [red(BASE)] }, { batch: 1, checks: '' });
    for (const laneId of ['lane-1', 'lane-2', 'lane-3']) story.enqueue(laneId);
    story.endStep();
    expect(story.settle()).toEqual(['test base lane-1@1 lane-2@1 lane-3@1', 'land lane-1 lane-2 lane-3']);
  });

  it('does not change a running test when more lanes come', () => {
    const story = new Story({}, { batch: 3 });
    story.enqueue('lane-1');
    const running = story.step('before');
    story.enqueue('lane-2', BASE);
    story.enqueue('lane-3', BASE);
    expect(story.step('before')).toEqual(running);
    expect(story.settle()).toEqual([
      'test base lane-1@1',
      'land lane-1',
      'test lane-1@1 lane-2@1 lane-3@1',
      'land lane-2 lane-3',
    ]);
  });

  it('searches a red batch and lands each green part at once', () => {
    expect(given(4, { rules: [red('lane-3@1')] }, { batch: 4 }).settle()).toEqual([
      'test base lane-1@1 lane-2@1 lane-3@1 lane-4@1',
      'test base',
      'test base lane-1@1 lane-2@1',
      'land lane-1 lane-2',
      'test (lane-1@1 lane-2@1) lane-3@1',
      'again (lane-1@1 lane-2@1) lane-3@1',
      'test base lane-3@1',
      'again base lane-3@1',
      'lane-3 own',
      'test (lane-1@1 lane-2@1) lane-4@1',
      'land lane-4',
    ]);
  });

  it('blames a lane at its own base without another test', () => {
    expect(given(1, { rules: [red('lane-1@1')] }).settle()).toEqual([
      'test base lane-1@1',
      'test base',
      'again base lane-1@1',
      'lane-1 own',
    ]);
  });

  it('names the landed lanes with which a lane fails', () => {
    expect(given(3, { rules: [red('lane-1@1', 'lane-2@1')] }).settle()).toEqual([
      'test base lane-1@1 lane-2@1 lane-3@1',
      'test base',
      'test base lane-1@1 lane-2@1',
      'test base lane-1@1',
      'land lane-1',
      'again lane-1@1 lane-2@1',
      'test base lane-2@1',
      'lane-2 interaction lane-1',
      'test lane-1@1 lane-3@1',
      'land lane-3',
    ]);
  });

  describe('with nine lanes that landed since', () => {
    const nine = (setup: { batch: number; searches?: boolean }) => {
      const story = new Story({ rules: [red('lane-4@1', 'lane-10@1')] }, setup);
      for (let lane = 1; lane <= 9; lane += 1) story.enqueue(`lane-${lane}`, BASE);
      story.endStep();
      story.settle();
      story.enqueue('lane-10', BASE);
      return story.settle();
    };

    it('finds the one that a lane collides with in at most four more tests', () => {
      const steps = nine({ batch: 1 });
      expect(steps.slice(0, 3).map((step) => step.split(' ')[0])).toEqual(['test', 'again', 'test']);
      expect(steps.slice(3, -1).length).toBeLessThanOrEqual(4);
      expect(steps.at(-1)).toBe('lane-10 interaction lane-4');
    });

    it('finds it among lanes that landed together', () => {
      const steps = nine({ batch: 3 });
      expect(steps.length).toBeLessThanOrEqual(3 + 4 + 1);
      expect(steps.at(-1)).toBe('lane-10 interaction lane-4');
    });

    it('names all of them in a run of an earlier behaviour, without more tests', () => {
      const steps = nine({ batch: 1, searches: false });
      const all = Array.from({ length: 9 }, (_, n) => `lane-${n + 1}`).join(' ');
      expect(steps.slice(3)).toEqual([`lane-10 interaction ${all}`]);
    });
  });

  it('calls it an interaction if a lane alone fails another check only', () => {
    const rules = [
      { check: 0, needs: ['lane-2@1'], unless: ['lane-1@1'] },
      { check: 1, needs: ['lane-1@1', 'lane-2@1'], unless: [] },
    ];
    expect(given(2, { rules }).settle()).toContain('lane-2 interaction lane-1');
  });

  it('lands a lane whose checks pass the second time as flaky', () => {
    const flaky = (tree: string) => (tree === FIRST ? [0] : []);
    expect(given(1, { flaky }).settle()).toEqual([
      'test base lane-1@1',
      'test base',
      'again base lane-1@1',
      'land lane-1 (lane-1 flaky)',
    ]);
  });

  it('blames no lane for a flaky check anywhere', () => {
    const story = given(6, { flaky: () => [0] });
    expect(story.settle().filter((step) => !/^(test|again|land)/.test(step))).toEqual([]);
    expect(story.queue.landed).toHaveLength(6);
  });

  it('does not need the base while all tests are green', () => {
    const rules = [{ check: 0, needs: [BASE], unless: ['lane-1@1'] }];
    expect(given(1, { rules }).settle()).toEqual(['test base lane-1@1', 'land lane-1']);
  });

  it('asks a person about a red base, blames nobody, and goes on with what was tested', () => {
    expect(given(2, { rules: [red(BASE)] }).settle()).toEqual([
      'test base lane-1@1 lane-2@1',
      'test base',
      'again base',
      'base red 0',
      'land lane-1 lane-2',
    ]);
  });

  it('asks only about checks that failed in every run of the base', () => {
    const story = given(1, { rules: [red(BASE)] });
    story.step();
    story.step();
    const again = story.step('before');
    const outcome = again.do === 'test' && story.performer.test(again);
    if (outcome === false || outcome.type !== 'tested') throw new TypeError('the base is tested twice');
    story.log.push({ ...outcome, test: { ...outcome.test, failed: [0, 1] } });
    expect(story.step()).toMatchObject({ do: 'askBaseRed', failed: [0], test: { failed: [0, 1] } });
    expect(story.queue.acceptedRed).toMatchObject([{ check: 0 }]);
  });

  it('sends a lane back with the checks that it broke, and not with those that a person accepted', () => {
    const rules = [red(BASE), { check: 1, needs: ['lane-1@1'], unless: [] }];
    const story = given(1, { rules });
    story.settle();
    const returned = story.steps.find((step) => step.do === 'eject');
    expect(returned).toMatchObject({ laneId: 'lane-1', cause: 'own', failed: [1], test: { failed: [0, 1] } });
  });

  it('sends a lane back that makes an accepted check fail worse, and then lands it', () => {
    const story = given(2, { rules: [red(BASE), red('lane-2@1')] });
    const steps = story.settle();
    expect(steps.filter((step) => /^(base|lane|land)/.test(step))).toEqual(['base red 0', 'land lane-1', 'lane-2 own']);
    story.enqueue('lane-2', BASE, 2);
    expect(story.settle().at(-1)).toBe('land lane-2');
  });

  it('requires an accepted check again once a lane made it pass', () => {
    const sign = 'FAIL the same';
    const rules = [
      { check: 0, needs: [BASE], unless: ['lane-1@1'], sign },
      { check: 0, needs: ['lane-3@1'], unless: [], sign },
    ];
    const story = new Story({ rules }, { batch: 1 });
    for (const laneId of ['lane-2', 'lane-1', 'lane-3']) story.enqueue(laneId, BASE);
    story.endStep();
    const steps = story.settle().filter((step) => /^(base|lane|land)/.test(step));
    expect(steps).toEqual(['base red 0', 'land lane-2', 'land lane-1', 'lane-3 own']);
  });

  it('compares only how a check failed in every run of the base', () => {
    const flaky = (tree: string) => (tree === 'tree of base' ? [0] : []);
    const rules = [red(BASE), red('lane-1@1')];
    const story = given(1, { rules, flaky });
    const tests = () => story.queue.tests.filter(({ lanes }) => lanes.length === 0);
    story.settle();
    expect(tests()).toHaveLength(2);
    expect(story.queue.acceptedRed).toMatchObject([{ was: { signs: ['base'] } }]);
  });

  it('asks again if somebody else makes the base red in another way', () => {
    const rules = [red(BASE), { check: 1, needs: ['foreign'], unless: [] }];
    const story = given(1, { rules });
    story.settle();
    story.performer.main = story.performer.repository.commit(story.queue.main, 'foreign');
    story.enqueue('lane-2', BASE);
    expect(story.settle().filter((step) => /^(base|lane)/.test(step))).toEqual(['base red 1']);
    expect(story.queue.landed).toHaveLength(2);
  });

  it('gives a lane that comes back a new chance', () => {
    const story = given(1, { rules: [red('lane-1@1')] });
    story.settle();
    story.enqueue('lane-1', BASE, 2);
    expect(story.settle()).toEqual(['test base lane-1@2', 'land lane-1']);
  });

  it('tests no tree again for a lane that comes back as it was', () => {
    const story = given(1, { rules: [red('lane-1@1')] });
    story.settle();
    story.enqueue('lane-1', BASE, 1);
    expect(story.settle()).toEqual(['lane-1 own']);
  });

  it.each(['cut', 'report'] as const)('lands the others beside a conflict (%s)', (atConflict) => {
    const story = given(3, { conflicts: [['lane-1@1', 'lane-2@1']], atConflict });
    story.settle();
    expect(story.queue.landed.map(({ laneId }) => laneId)).toEqual(['lane-1', 'lane-3']);
  });

  it('starts anew on a branch that somebody else moved', () => {
    const story = given(1);
    story.performer.main = story.performer.repository.commit(BASE, 'foreign');
    expect(story.settle()).toEqual(['test base lane-1@1', 'land lane-1', 'test foreign lane-1@1', 'land lane-1']);
  });
});

/** How often the checks run for twelve lanes in batches of three. */
describe('the cost of the merge queue', () => {
  const runs = (...needs: string[]) => {
    const story = given(12, { rules: needs.length > 0 ? [red(...needs)] : [] });
    story.settle();
    return story.performer.runs.size;
  };
  const others = Array.from({ length: 11 }, (_, at) => `lane-${at + 2}@1`);

  it('is one run a batch', () => {
    expect(runs()).toBe(4);
  });

  it('is at most seven runs more for a lane with a fault', () => {
    expect(['lane-1@1', ...others].map((lane) => runs(lane))).toEqual([9, 11, 9, 10, 10, 8, 10, 10, 8, 10, 10, 8]);
  });

  it('is at most eight runs more for a lane that collides with another', () => {
    expect(others.map((lane) => runs('lane-1@1', lane))).toEqual([10, 9, 10, 11, 9, 11, 11, 10, 12, 12, 10]);
  });
});
