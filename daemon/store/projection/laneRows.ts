import { derivedId } from '../../../schemas/ids.ts';
import type { Lane, Run, Task } from '../../core/run/state.ts';
import type { Row, TableProjection } from './tableProjection.ts';

/** Only lanes that a phase opened: the row of the run has what there is to know of `main`. */
export const laneRows: TableProjection<Lane> = {
  parts: (run) => run.lanes.filter(({ phaseId }) => phaseId !== null),
  row: laneRow,
};

/** A task keeps its place: a new plan has new tasks. */
export const taskRows: TableProjection<Task> = {
  parts: (run) => run.phases.flatMap(({ dag }) => dag?.tasks ?? []),
  row: taskRow,
};

function laneRow(run: Run, lane: Lane): Row {
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

function taskRow(run: Run, task: Task): Row {
  const { id, laneId, title, state, work, ...definition } = task;
  const phase = run.phases.find(({ dag }) => dag?.tasks.includes(task));
  return {
    id: derivedId('task', String(phase?.id), id),
    run_id: run.id,
    phase_id: phase?.id,
    task_id: id,
    lane_id: laneId,
    title,
    state,
    seq: (phase?.dag?.tasks.indexOf(task) ?? 0) + 1,
    definition,
    work,
  };
}
