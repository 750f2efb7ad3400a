import type { RunEvent } from '../../../schemas/events/index.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import { patchLane, patchPhaseOf } from '../../core/run/patch.ts';
import { phasesOf } from '../../core/run/query.ts';
import { resetRecoveryBudget } from '../../core/run/sessionBudget.ts';
import type { Run } from '../../core/run/state.ts';
import { allBefore, dependenciesOf } from './graph/taskGraph.ts';
import { commentsOfTask } from './plan.ts';
import type { Task } from './state.ts';

/** A person takes an abandoned lane up again, and with it the tasks that only waited for its work. */
export function evolveReopened(run: Run, event: Extract<RunEvent, { type: 'lane.reopened' }>): Run {
  const { laneId, nth, comment } = event.payload;
  const phase = phasesOf('lanes', run).find(({ id }) => id === event.phaseId);
  if (!phase?.dag) return run;
  const tasks = tasksAgain(phase.dag.tasks, laneId);
  const unfinished = tasks.filter((task) => task.laneId === laneId && task.state === 'started');
  const mark = { nth, comment, isAsked: unfinished.length > 0 };
  const reopened = patchLane(run, laneId, ({ reopens }) => {
    return { state: 'open', endedBecause: null, reopens: [...reopens, mark] };
  });
  const roleId = run.lanes.find(({ id }) => id === laneId)?.roleId ?? '';
  const fresh = unfinished.map(({ id: key }) => {
    const attempt = { nth: phase.attempts, cause: 'changes_requested' as const, changeRequest: comment };
    return {
      ...newAssignment(run, phase, { key, roleId, laneId, comments: commentsOfTask(run, phase, key) }, attempt),
      changeRequest: comment,
    };
  });
  const sessions = run.sessions.map((session) => (session.laneId === laneId ? resetRecoveryBudget(session) : session));
  return patchPhaseOf('lanes', { ...reopened, sessions }, phase.id, ({ assignments, dag }) => {
    const others = assignments.filter(({ key }) => !fresh.some((each) => each.key === key));
    return { assignments: [...others, ...fresh], ...(dag && { dag: { ...dag, tasks } }) };
  });
}

/** The tasks of the lane go on where they were. Those without a lane wait again, unless they build on another abandoned lane. */
function tasksAgain(tasks: readonly Task[], laneId: string): Task[] {
  const isAbandoned = ({ state }: Task) => state === 'abandoned';
  const before = dependenciesOf(tasks);
  const lost = tasks.filter((task) => isAbandoned(task) && task.laneId !== null && task.laneId !== laneId);
  const waits = ({ id }: Task) => {
    const needed = allBefore(before, id);
    return !lost.some((task) => needed.has(task.id));
  };
  return tasks.map((task): Task => {
    if (!isAbandoned(task)) return task;
    if (task.laneId === laneId) return { ...task, state: task.work === null ? 'started' : 'completed' };
    return task.laneId === null && waits(task) ? { ...task, state: 'waiting' } : task;
  });
}
