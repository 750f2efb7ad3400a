import type { KindRules } from '../../core/phases/kindRules.ts';
import { said } from '../../core/phases/said.ts';
import type { Run } from '../../core/run/state.ts';
import type { Dag } from './state.ts';

/** How far the tasks, the lanes and the merge queue are. */
export const lanesKey: KindRules<'lanes'>['stateKey'] = {
  ended: ({ assignments }) => assignments.map(said),
  atWork: (run, { assignments, dag }) => [...assignments.map(said), ...(dag ? inLanes(run, dag) : [])],
};

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
    // Where `main` is now among the commits of a test decides whether the test still says something.
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
