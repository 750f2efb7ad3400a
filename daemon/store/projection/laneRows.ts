import { derivedId } from '../../../schemas/ids.ts';
import { phasesOf } from '../../core/run/query.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import type { RowOf } from '../../db/schema/projected.ts';
import type { Task } from '../../kinds/lanes/state.ts';
import type { TableProjection } from './tableProjection.ts';

type OpenedLane = Lane & { phaseId: string; roleId: string };

/** Only lanes that a phase opened: the row of the run has what there is to know of `main`. */
export const laneRows: TableProjection<'lanes', OpenedLane> = {
  parts: (run) => run.lanes.filter((lane): lane is OpenedLane => lane.phaseId !== null),
  row: laneRow,
};

/** A task keeps its place: a new plan has new tasks. */
export const taskRows: TableProjection<'lane_tasks', Task> = {
  parts: (run) => phasesOf('lanes', run).flatMap(({ dag }) => dag?.tasks ?? []),
  row: taskRow,
};

function laneRow(run: Run, lane: OpenedLane): RowOf<'lanes'> {
  return {
    id: derivedId('lane', run.id, lane.id),
    run_id: run.id,
    lane_id: lane.id,
    phase_id: lane.phaseId,
    role_id: lane.roleId,
    path: lane.path,
    branch: lane.branch,
    base: lane.base,
    head: lane.head,
    state: lane.state,
  };
}

function taskRow(run: Run, task: Task): RowOf<'lane_tasks'> {
  const { id, laneId, title, state, work, ...definition } = task;
  const phase = phasesOf('lanes', run).find(({ dag }) => dag?.tasks.includes(task));
  if (!phase) throw new TypeError(`task ${id} is not of run ${run.id}`);
  return {
    id: derivedId('task', phase.id, id),
    run_id: run.id,
    phase_id: phase.id,
    task_id: id,
    lane_id: laneId,
    title,
    state,
    seq: (phase.dag?.tasks.indexOf(task) ?? 0) + 1,
    definition,
    work,
  };
}
