import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome, OutcomeOf } from '../../../../daemon/core/effect/outcome.ts';
import { miningOf } from '../../../../daemon/core/objective/mining.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { approve, decision, done, given, type Story } from '../support/given.ts';
import { begin, nthOf, outcomeOf, play } from '../support/measured.ts';

const SPLITS = {
  train: { from: '2020', to: '2021' },
  validation: { from: '2022', to: '2022' },
  holdout: { from: '2023', to: '2023' },
};

/** Up to the judgement of the first iteration, whose measurements differ from what is usual. */
function playFirst(differ: (measured: OutcomeOf<'measured'>) => Outcome): Story {
  let story = begin();
  for (let steps = 0; steps < 60 && !story.run.evaluations[1]?.judgement; steps += 1) {
    const [effect] = decide(story.run);
    if (!effect) break;
    const outcome = outcomeOf(story.run, effect as never, [[1], [3]], 2);
    const isOther = outcome.type === 'measured' && story.run.evaluations.length === 2;
    story = story.on(isOther ? differ(outcome) : outcome);
  }
  return story;
}

const judgements = ({ run }: Story) =>
  run.evaluations.map(({ iteration, result, judgement }) => [
    iteration,
    result?.status,
    judgement?.isKept,
    judgement?.stop?.reason ?? null,
  ]);

test('measures the base several times, improves it, confirms what meets the objective, and goes on', () => {
  const { story, ran, restored } = play(begin(), [[1, 1.1, 0.9], [1.5], [2.5]]);
  expect(ran).toEqual([...Array(3).fill('0 all'), ...Array(3).fill('1 all'), ...Array(3).fill('2 all')]);
  expect(judgements(story)).toEqual([
    [0, 'valid', true, null],
    [1, 'valid', true, null],
    [2, 'valid', true, 'met'],
  ]);
  expect(restored).toEqual(['base0000', 'commit-make-1', 'commit-make-2']);
  story.to({ run: 'awaiting_approval', phases: { accept: 'awaiting_approval' } });
  story.on(approve).to({ run: 'completed' });
});

test('what is not better than chance is undone, and the best state is what the next iteration builds on', () => {
  const { story, restored } = play(begin(), [[1, 1.2, 0.8], [1.3], [1.7], [1.1], [1.7], [1.7]]);
  expect(judgements(story)).toEqual([
    [0, 'valid', true, null],
    [1, 'valid', false, null],
    [2, 'valid', true, null],
    [3, 'valid', false, null],
    [4, 'valid', false, null],
    [5, 'valid', false, 'budget'],
  ]);
  expect(restored).toEqual([
    'base0000',
    'base0000',
    'commit-make-2',
    'commit-make-2',
    'commit-make-2',
    'commit-make-2',
  ]);
  expect(story.run.evaluations[1]?.judgement?.reason).toBe(
    'sharpe gains 0.3, and more than 0.611883 is needed to be no accident',
  );
  story.to({ run: 'paused', approvals: { objective_not_met: 'pending' } }).decides();
});

test('a measurement that fails is invalid, and does not count as standing still', () => {
  const { story } = play(begin({ stop: { plateau: { patience: 2 }, maxInvalid: 3 } }), [
    [1],
    [1],
    ['exit 1'],
    ['exit 1'],
    [1],
  ]);
  expect(judgements(story)).toEqual([
    [0, 'valid', true, null],
    [1, 'valid', false, null],
    [2, 'invalid', false, null],
    [3, 'invalid', false, null],
    [4, 'valid', false, 'plateau'],
  ]);
  const crashing = play(begin({ stop: { maxInvalid: 2 } }), [[1], ['exit 1'], ['exit 1']]);
  expect(judgements(crashing.story).at(-1)).toEqual([2, 'invalid', false, 'invalid']);
});

test('an iteration that touches what is protected is void, is not measured, and ends the loop', () => {
  const { story, ran, restored } = play(begin(), [[1], []]);
  expect(judgements(story).at(-1)).toEqual([1, 'tampered', false, 'tampered']);
  expect(ran).toHaveLength(3);
  expect(restored).toEqual(['base0000', 'base0000']);
  expect(story.run.approvals.at(-1)?.subject).toMatchObject({ reason: 'settings.json is protected' });
});

test.each([
  ['seed', { seed: '8' }, 'the seed is 8 and was none'],
  ['data', { data: { sha256: 'other' } }, 'the data differs from that of the base'],
  ['dates', { data: { from: '2019' } }, 'the range of the data differs from that of the base'],
])('a measurement with another %s than the base is void', (_, over, reason) => {
  const story = playFirst((measured) => ({ ...measured, measurement: { ...measured.measurement, ...over } }));
  expect(judgements(story).at(-1)).toEqual([1, 'tampered', false, 'tampered']);
  expect(story.run.evaluations[1]?.result?.reason).toBe(reason);
});

test.each([
  [6, [1, 'valid', true, 'met']],
  [5, [1, 'tampered', false, 'tampered']],
] as const)(
  'a seed made of the number of the measurement counts as that of the base since behaviour 6: %s',
  (behaviour, expected) => {
    let story = begin({}, behaviour);
    for (let steps = 0; steps < 90 && !story.run.evaluations[1]?.judgement; steps += 1) {
      const [effect] = decide(story.run);
      if (!effect) break;
      const outcome = outcomeOf(story.run, effect as never, [[1], [3]], 2);
      const seed = String(story.run.evaluations.at(-1)?.measurements.length);
      const isMeasured = outcome.type === 'measured';
      story = story.on(isMeasured ? { ...outcome, measurement: { ...outcome.measurement, seed } } : outcome);
    }
    expect(judgements(story).at(-1)).toEqual(expected);
  },
);

test('a protected file that changes while the command runs voids the iteration', () => {
  const story = playFirst((measured) => ({ ...measured, protectedHash: 'other' }));
  expect(judgements(story).at(-1)).toEqual([1, 'tampered', false, 'tampered']);
});

test('a result that does not come again is no result', () => {
  const { story, ran } = play(begin({ stop: { maxIterations: 1 } }), [[1], [2.1, 1.8, 1.8]]);
  expect(ran.filter((each) => each.startsWith('1'))).toHaveLength(3);
  expect(judgements(story).at(-1)).toEqual([1, 'valid', true, 'budget']);
  expect(story.run.approvals.at(-1)?.subject.issues).toEqual(['sharpe must be at least 2 and is 1.9']);
});

test('the holdout is measured once, when everything else is reached', () => {
  const met = play(begin({ splits: SPLITS }), [[1], [2.5]]);
  expect(met.ran.slice(-5)).toEqual(['1 train', '1 validation', '1 validation', '1 validation', '1 holdout']);
  expect(judgements(met.story).at(-1)).toEqual([1, 'valid', true, 'met']);
  const missed = play(begin({ splits: SPLITS }), [[1], [2.5]], 1);
  expect(judgements(missed.story).at(-1)).toEqual([1, 'valid', true, 'holdout']);
});

test('a person who grants more iterations has the holdout opened once more', () => {
  const { story } = play(begin({ splits: SPLITS }), [[1], [2.5]], 1);
  const granted = story.on(decision('request_changes', 'Simplify.'));
  const { story: met, ran } = play(granted, [[1], [2.5], [3]], 3);
  expect(ran.at(-1)).toBe('2 holdout');
  expect(judgements(met).at(-1)).toEqual([2, 'valid', true, 'met']);
  const { story: missed } = play(granted, [[1], [2.5], [3]], 1);
  expect(judgements(missed).at(-1)).toEqual([2, 'valid', true, 'holdout']);
});

test('an iteration that was not measured on the holdout does not miss it', () => {
  // The base meets the targets, and misses the holdout.
  const { story, ran } = play(begin({ splits: SPLITS }), [[2.5], [3]], 1);
  expect(ran.filter((each) => each.endsWith('holdout'))).toEqual(['0 holdout']);
  expect(judgements(story).at(-1)).toEqual([1, 'valid', true, 'holdout']);
  expect(story.run.evaluations.at(-1)?.judgement?.holdout).toBeNull();
  expect(story.run.approvals.at(-1)?.subject.reason).toBe(
    'the targets are met on the judged part; an earlier iteration opened the holdout, and only you can have it opened again',
  );
});

test('a state that meets every target is kept although the primary fell', () => {
  const mdd = { metric: 'mdd', op: 'lte' as const, value: 0.15 };
  const objective = { targets: [{ metric: 'sharpe', op: 'gte' as const, value: 1.5 }, mdd] };
  const fallen = (behaviour?: Run['behaviour']) => {
    const { story } = play(begin(objective, behaviour), [[2], [1.6]], 2, { mdd: [0.3, 0.1] });
    return judgements(story)[1];
  };
  expect(fallen()).toEqual([1, 'valid', true, 'met']);
  expect(fallen(5)).toEqual([1, 'valid', false, null]);
});

test('the reason to stop names what the best state misses', () => {
  const { story } = play(begin({ stop: { maxIterations: 2 } }), [[1], [1.5], [1.2]]);
  expect(story.run.approvals.at(-1)?.subject.reason).toBe(
    '2 iterations did not meet the objective; in the best state, sharpe must be at least 2 and is 1.5',
  );
});

test('no prompt has the bounds of the holdout, and each has the objective', () => {
  const prompts: string[] = [];
  let story = begin({ splits: SPLITS });
  for (let steps = 0; steps < 60; steps += 1) {
    const [effect] = decide(story.run);
    if (!effect) break;
    if (effect.type === 'sendPrompt') prompts.push(effect.envelope.instructions);
    story = story.on(outcomeOf(story.run, effect as never, [[1], [1.5], [2.5]], 2));
  }
  expect(prompts).toHaveLength(2);
  for (const prompt of prompts) {
    expect(prompt).toContain('"metric": "sharpe"');
    expect(prompt).toContain('"2022"');
    expect(prompt).not.toContain('2023');
  }
});

test('what fails on the holdout is told to no agent', () => {
  const { story } = play(begin({ splits: SPLITS }), [[1], [2.5], [2.5]], 'no prices after 2023-06-30');
  expect(judgements(story)[1]).toEqual([1, 'invalid', false, null]);
  const mining = JSON.stringify(miningOf(story.run));
  expect(mining).toContain('the holdout could not be measured');
  expect(mining).not.toContain('2023');
});

test('the same tree is answered from the log', () => {
  const story = play(begin(), [[1], [1.5]]).story;
  const known = story.run.evaluations[0]?.tree ?? '';
  const first = play(begin(), [[1]]);
  expect(known).toBe('tree of base0000');
  const start = begin();
  let at = start;
  const ran: string[] = [];
  for (let steps = 0; steps < 40; steps += 1) {
    const [effect] = decide(at.run);
    if (!effect || at.run.evaluations.length > 2) break;
    if (effect.type === 'runCommand') ran.push(`${nthOf(at.run)}`);
    const outcome = outcomeOf(at.run, effect as never, [[1], [1]], 2);
    at = at.on(outcome.type === 'evaluationInspected' ? { ...outcome, tree: known } : outcome);
  }
  expect(ran.every((nth) => nth === '0')).toBe(true);
  expect(at.run.evaluations[1]).toMatchObject({
    sameAs: at.run.evaluations[0]?.id,
    judgement: { isKept: false, gain: 0 },
  });
  expect(first.story.run.evaluations[0]?.sameAs).toBeNull();
});

test('a base that cannot be measured asks a person, who can have it measured again', () => {
  const { story } = play(begin(), [['exit 127']]);
  story.to({ run: 'paused', phases: { baseline: 'failed' }, approvals: { recovery: 'pending' } });
  const again = play(story.on(approve), [[1], [2.5]]);
  expect(judgements(again.story)).toEqual([
    [0, 'invalid', false, null],
    [0, 'valid', true, null],
    [1, 'valid', true, 'met'],
  ]);
});

test('a base that meets the objective needs no iteration', () => {
  const { story, ran } = play(begin(), [[2.5]]);
  expect(ran).toEqual(['0 all', '0 all', '0 all']);
  expect(story.run.iterations).toEqual([]);
  story.to({
    run: 'awaiting_approval',
    phases: { baseline: 'completed', make: 'skipped', backtest: 'skipped', accept: 'awaiting_approval' },
  });
});

test('at the gate a person takes the best, grants as many iterations again, or ends the run', () => {
  const { story } = play(begin({ stop: { maxIterations: 2 } }), [[1], [1.5], [1.2]]);
  story.to({ run: 'paused', approvals: { objective_not_met: 'pending' } });
  story.on(decision('reject', 'no')).to({ run: 'failed' });
  story.on(approve).to({ run: 'awaiting_approval', phases: { accept: 'awaiting_approval' } });
  const more = play(story.on(decision('request_changes', 'Look at costs.')), [[1], [1.5], [1.2], [1.4], [1.8]]);
  expect(judgements(more.story).slice(3)).toEqual([
    [3, 'valid', false, null],
    [4, 'valid', true, 'budget'],
  ]);
});

test('changes that a person wants of the result begin another iteration about them', () => {
  const { story } = play(begin(), [[1], [2.5]]);
  const wanted = story.on(decision('request_changes', 'Fewer trades.'));
  wanted.to({ run: 'executing', phases: { make: 'running' } });
  expect(wanted.run.iterations.at(-1)).toMatchObject({ nth: 2, extension: 'Fewer trades.' });
});

test('a measurement is recorded once, however often it is told', () => {
  const read = done('readMeasurement');
  const before = play(begin(), [[1]]).story.upTo('command.completed');
  const outcome = read instanceof Function ? read(before.run) : read;
  const once = before.on(outcome);
  expect(once.latest.filter(({ type }) => type === 'backtest.measured')).toHaveLength(1);
  expect(once.on(outcome).latest).toEqual([]);
});

test('a metric with the name of a method of objects is unknown until it is measured', () => {
  const { story } = play(begin({ primary: { metric: 'toString', better: 'higher' }, targets: [] }), [[1]]);
  expect(story.run.evaluations[0]?.result).toMatchObject({
    status: 'invalid',
    reason: expect.stringContaining('toString is unknown'),
  });
});

test('large protected files are compared by their content, except in older runs', () => {
  const { run } = play(begin(), [[1]]).story.upTo('phase.started');
  const hashes = (behaviour: Run['behaviour']) =>
    decide({ ...run, behaviour }).map((effect) => effect.type === 'inspectEvaluation' && effect.files.hashesLarge);
  expect(hashes(5)).toEqual([true]);
  expect(hashes(4)).toEqual([undefined]);
});

test('a measurement runs in a place of devflow and writes where no event says, except in older runs', () => {
  const { story } = play(begin(), [[1]]);
  const { run, events } = story.upTo('command.started');
  const place = `${run.workspaceRoot}/${run.id}/evaluation`;
  const apart = { worktree: `${place}/worktree`, home: `${place}/home` };
  const metrics = `${run.workspaceRoot}/${run.id}/metrics/baseline/1/0`;
  const command = (behaviour: Run['behaviour']) =>
    decide({ ...run, behaviour }).find(({ type }) => type === 'runCommand');
  expect(command(6)).toMatchObject({
    cwd: apart.worktree,
    env: { DEVFLOW_SPLIT: 'all', DEVFLOW_MEASUREMENT: '0' },
    measuring: { ...apart, commit: 'base0000', metrics },
  });
  expect(JSON.stringify(events)).not.toContain('DEVFLOW_METRICS');
  expect(command(5)).not.toHaveProperty('measuring');

  const inspection = story.upTo('phase.started').run;
  expect(decide(inspection)).toMatchObject([{ type: 'inspectEvaluation', apart }]);
  expect(decide({ ...inspection, behaviour: 5 })[0]).not.toHaveProperty('apart');

  const reading = story.upTo('command.completed').run;
  expect(decide(reading)).toMatchObject([{ type: 'readMeasurement', dir: null, apart }]);
  const older = {
    ...reading,
    behaviour: 5 as const,
    commands: reading.commands.map((each) => ({ ...each, env: { DEVFLOW_METRICS: '/there' } })),
  };
  expect(decide(older)).toMatchObject([{ type: 'readMeasurement', dir: '/there' }]);
  expect(decide(older)[0]).not.toHaveProperty('apart');
});

test('the command of an older run works in the worktree of the agents, and its event names the directory', () => {
  const story = given({ template: 'measured', behaviour: 5 });
  const { env, cwd } = play(story, [[1]]).story.upTo('command.started').run.commands[0] ?? {};
  expect(env?.DEVFLOW_METRICS).toMatch(/\/metrics\/baseline\/1\/0$/);
  expect(cwd).toBe(story.run.worktreeRoot);
});
