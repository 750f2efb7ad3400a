import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextMerge } from '../../../../../daemon/kinds/lanes/queue/nextMerge.ts';
import { checkStep } from './support/guards.ts';
import type { Rule } from './support/oracle.ts';
import type { Truth } from './support/performer.ts';
import { BASE, Story } from './support/story.ts';
import { Team } from './support/team.ts';

const CASES = 300;
const LANES = ['lane-1', 'lane-2', 'lane-3', 'lane-4', 'lane-5', 'lane-6', 'lane-7'];
const CHECKS = [0, 1];

const change = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...LANES.map((laneId) => `${laneId}@1`)) },
  { weight: 3, arbitrary: fc.constantFrom(...LANES.map((laneId) => `${laneId}@2`)) },
  { weight: 2, arbitrary: fc.constantFrom(BASE, 'foreign-1') },
);
const rule: fc.Arbitrary<Rule> = fc.record({
  check: fc.constantFrom(...CHECKS),
  needs: fc.uniqueArray(change, { minLength: 1, maxLength: 3 }),
  unless: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(change) }),
});
/** A hash of the tree decides, so that a case can be repeated. */
const flaky = fc.record({ seed: fc.nat(), percent: fc.constantFrom(0, 0, 30, 100) }).map(
  ({ seed, percent }): Truth['flaky'] =>
    (tree) =>
      CHECKS.filter((check) => hashOf(`${seed} ${check} ${tree}`) % 100 < percent),
);
const truth: fc.Arbitrary<Truth> = fc.record({
  rules: fc.array(rule, { maxLength: 4 }),
  conflicts: fc.array(fc.tuple(change, change), { maxLength: 2 }),
  flaky,
  atConflict: fc.constantFrom('cut', 'report'),
});
const move = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('step' as const) },
    { weight: 4, arbitrary: fc.constant('open' as const) },
    { weight: 5, arbitrary: fc.constant('finish' as const) },
    { weight: 1, arbitrary: fc.constant('kill before' as const) },
    { weight: 1, arbitrary: fc.constant('kill after' as const) },
    { weight: 1, arbitrary: fc.constant('foreign' as const) },
  ),
  pick: fc.nat(999),
});

test('lands every innocent lane and blames only the guilty, whatever happens', () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(
      truth,
      fc.integer({ min: 1, max: 5 }),
      fc.array(move, { maxLength: 60, size: 'max' }),
      (given, batch, moves) => {
        const story = new Story(given, { batch });
        const team = new Team(story, LANES);
        let kills = 0;
        const step = (kill?: 'before' | 'after') => {
          checkStep(story.queue, nextMerge(story.queue), story.performer);
          const done = story.step(kill);
          team.takeBack();
          if (kill) expect(nextMerge(story.queue)).toEqual(done);
          kills += kill ? 1 : 0;
          const what = done.do === 'eject' ? done.cause : done.do;
          counts[what] = (counts[what] ?? 0) + 1;
          return done;
        };
        for (const { kind, pick } of moves) {
          if (kind === 'open') team.open();
          else if (kind === 'finish') team.finish(pick);
          else if (kind === 'foreign') team.moveBranch();
          else if (kind === 'step') step();
          else step(kind === 'kill before' ? 'before' : 'after');
        }
        while (team.finishAll() || step().do !== 'nothing') checkLength(story, batch, kills);
        checkEnd(story, team);
      },
    ),
    { numRuns: CASES, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_101) },
  );
  console.log(`any queue: ${CASES} cases, ${JSON.stringify(counts)}`);
});

/**
 * Between two steps that bring the queue forward there are at most the test of a batch, two of the base, those of the
 * search, one more of the suspect, two of it alone, and those of the search for what it collides with.
 */
function checkLength({ log, steps }: Story, batch: number, kills: number): void {
  const forward = log.filter(({ type }) => type !== 'enqueued' && type !== 'tested').length;
  // Somebody else's moves of the branch are steps too.
  const search = Math.ceil(Math.log2(LANES.length + log.filter(({ type }) => type === 'moved').length));
  const most = (forward + 1) * (1 + 2 + Math.ceil(Math.log2(batch)) + 1 + 2 + 1 + search);
  expect(steps.filter((step) => step.do !== 'nothing').length).toBeLessThanOrEqual(most + kills);
}

function checkEnd({ queue, log, performer }: Story, team: Team): void {
  const landed = queue.landed.map(({ laneId }) => laneId);
  expect([...landed, ...team.abandoned].sort()).toEqual(LANES);
  const guilty = [...performer.truth.rules.flatMap(({ needs }) => needs), ...performer.truth.conflicts.flat()];
  const innocent = LANES.filter((laneId) => !guilty.includes(`${laneId}@1`));
  for (const laneId of innocent) expect([laneId, team.attempts.get(laneId)]).toEqual([laneId, 1]);
  expect(landed).toEqual(expect.arrayContaining(innocent));
  // Each run of the checks is in the log: no kill and no late lane made one worthless.
  const recorded = log.flatMap((entry) => (entry.type === 'tested' ? [`${entry.test.tree}, ${entry.test.nth}`] : []));
  expect(new Set(recorded)).toEqual(new Set(performer.runs.keys()));
  expect(recorded.filter((run) => !/, [12]$/.test(run))).toEqual([]);
}

function hashOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003;
  return hash;
}
