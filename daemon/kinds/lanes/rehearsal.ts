import { MAIN } from '../../../schemas/mainLane.ts';
import { type Possible, WORK } from '../../core/effect/possible.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { said } from '../../core/phases/said.ts';
import { phasesOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { LanesPhase } from './plan.ts';
import type { Dag } from './state.ts';

export const lanesRehearsal: KindRules<'lanes'>['rehearsal'] = {
  possible: {
    findOverlaps: ({ phaseId, attempt }) => [
      {
        outcome: { type: 'overlapsFound', phaseId, attempt, ignoreCase: false, shared: [] },
        words: 'the tasks share no file',
      },
    ],
    prepareLane: ({ phaseId, laneId, onto, lane }) => [
      {
        outcome: {
          type: 'lanePrepared',
          phaseId,
          laneId,
          onto,
          head: `${lane.startCommit} with ${onto}`,
          conflicts: [],
        },
        words: `lane ${laneId} is brought up to date`,
      },
    ],
    commitResolution({ phaseId, laneId, assignment, onto }) {
      const work = { commit: `resolution of ${assignment}`, ...WORK };
      const committed = { work, head: work.commit, outside: [] };
      return [
        {
          outcome: {
            type: 'resolutionChecked',
            phaseId,
            laneId,
            assignment,
            onto,
            faults: [],
            droppedTests: [],
            committed,
          },
          words: `the conflict of lane ${laneId} is resolved`,
        },
      ];
    },
    testMerge({ phaseId, base, lanes, checks, nth }, run) {
      const commits = lanes.map(({ head }) => `${base} and ${head}`);
      const commit = commits.at(-1) ?? base;
      const passed = { exitCode: 0, reason: 'exit 0', stdoutPath: '', stderrPath: '' };
      const test = {
        base,
        lanes,
        commits,
        commit,
        tree: `tree of ${commit}`,
        checks: checks.hash,
        nth,
        failed: [],
        results: checks.commands.map(({ argv }) => ({ ...passed, argv })),
      };
      const green: Possible = { outcome: { type: 'mergeTested', phaseId, test }, words: 'the merge passes its checks' };
      const [first] = lanes;
      const phase = phasesOf('lanes', run).find(({ id }) => id === phaseId);
      if (!first || !phase || hasFailed(run, phase)) return [green];
      const red = { ...test, failed: [0], results: [{ ...passed, argv: ['check'], exitCode: 1, reason: 'exit 1' }] };
      const { laneId, head } = first;
      return [
        green,
        { outcome: { type: 'mergeTested', phaseId, test: red }, words: 'the merge fails its checks' },
        {
          outcome: { type: 'mergeConflicted', phaseId, laneId, head, base, paths: ['a'] },
          words: `lane ${laneId} conflicts`,
        },
      ];
    },
    landMerge: ({ phaseId, from, to, lanes, flaky }) => [
      {
        outcome: { type: 'mergeLanded', phaseId, from, to, lanes, flaky, work: { commit: to, ...WORK } },
        words: `${lanes.join(' and ')} land`,
      },
    ],
  },
  atWork: (run, { assignments, dag }) => [...assignments.map(said), ...(dag ? inLanes(run, dag) : [])],
  ended: ({ assignments }) => assignments.map(said),
  hasFailed,
};

/** On each path only one check or merge of lanes fails: each further failure would lead to the same. */
function hasFailed(run: Run, { id: phaseId, dag }: LanesPhase): boolean {
  const tests = dag?.tests ?? [];
  const inLane = run.commands.some(
    ({ phaseId: of, laneId, state, kind }) =>
      of === phaseId && laneId !== MAIN && state === 'failed' && kind !== 'setup',
  );
  const isEjected = run.lanes.some(({ ejections }) => ejections.length > 0);
  return inLane || isEjected || tests.some(({ failed }) => failed.length > 0);
}

function inLanes({ lanes }: Run, { queue, late, tasks, tests, main, landings }: Dag): string[] {
  const isNewest = (laneId: string, head: string) => lanes.some((lane) => lane.id === laneId && lane.head === head);
  return [
    ...lanes.map(({ id, state, base, ejections }) =>
      [id, state, base === main, ...ejections.map(({ cause }) => cause)].join(' '),
    ),
    queue.join(' '),
    late.join(' '),
    landings.map(({ laneId }) => laneId).join(' '),
    ...tasks.map(({ id, state, laneId }) => [id, state, laneId].join(' ')),
    // A test still counts only if `main` is at its base or at one of its commits.
    ...tests.map(({ base, commits, nth, failed, lanes: tested }) =>
      [
        [base, ...commits].indexOf(main),
        nth,
        failed,
        ...tested.map(({ laneId, head }) => `${laneId} ${isNewest(laneId, head)}`),
      ].join(' '),
    ),
  ];
}
