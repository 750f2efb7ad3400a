import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { keyOf } from '../../../../daemon/core/rehearse/walk.ts';
import { phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Dag } from '../../../../daemon/kinds/lanes/state.ts';
import { given, type Input } from '../../core/support/given.ts';
import { resultsOf } from '../../core/support/outcomes.ts';
import { goesWell, until } from '../../core/support/unattended.ts';

const dagIn = (run: Run): Dag | null | undefined => phasesOf('lanes', run)[0]?.dag;
const withDag = (run: Run, change: Partial<Dag>): Run => ({
  ...run,
  phases: run.phases.map((phase) =>
    phase.kind === 'lanes' && phase.dag ? { ...phase, dag: { ...phase.dag, ...change } } : phase,
  ),
});

/** All goes well, but merges wait until nothing else is to be done. */
const mergesLast: Input = (run) => {
  const other = decide(run).find(({ type }) => type !== 'testMerge' && type !== 'expireApproval');
  return (other && resultsOf(other, run)[0]) ?? goesWell(run);
};

/** Two lanes wait to land, and nothing was merged yet. */
const { run: TWO_WAIT } = until(given({ template: 'lanes' }), (run) => dagIn(run)?.queue.length === 2, mergesLast);

test.each<[string, Partial<Dag>]>([
  ['when its lanes were queued', { late: [] }],
  ['the order of its lanes', { queue: dagIn(TWO_WAIT)?.queue.toReversed() ?? [] }],
])('a rehearsal tells two states apart if the merge queue goes on differently: %s', (_, change) => {
  const other = withDag(TWO_WAIT, change);
  expect(decide(other)).not.toEqual(decide(TWO_WAIT));
  expect(keyOf({ run: other, again: 0 })).not.toBe(keyOf({ run: TWO_WAIT, again: 0 }));
});
