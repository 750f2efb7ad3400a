import { defined } from '../../../schemas/defined.ts';
import type { KindEventType, RunEvent } from '../../../schemas/events/index.ts';
import { moveAssignments } from '../../core/assignment/moveAssignments.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import type { Folds } from '../../core/phases/kindRules.ts';
import { addCommittedWork } from '../../core/run/committedWork.ts';
import { newLane } from '../../core/run/lanes.ts';
import { patchLane, patchPhase, patchPhaseOf } from '../../core/run/patch.ts';
import { isDue } from '../../core/run/query.ts';
import type { Assignment, Run } from '../../core/run/state.ts';
import { evolveReopened } from './evolveReopened.ts';
import { allBefore, dependenciesOf } from './graph/taskGraph.ts';
import { commentsOfTask } from './plan.ts';
import type { Dag, Task } from './state.ts';

type Of<T extends KindEventType<'lanes'>> = Extract<RunEvent, { type: T }>;

/** Lanes, tasks and the merge queue. */
export const lanesFolds: Folds<KindEventType<'lanes'>> = {
  'lane.opened'(run, { phaseId, payload: { laneId: id, ...facts } }) {
    return { ...run, lanes: [...run.lanes, newLane({ id, phaseId, ...facts })] };
  },
  'task.started': taskStarted,
  'task.completed': taskCompleted,
  'lane.finished': (run) => run,
  'lane.drifted': (run) => run,
  'merge.enqueued': enqueued,
  'merge.tested': (run, { phaseId, payload }) =>
    patchDag(run, phaseId, ({ tests }) => ({ tests: [...tests, payload], late: [] })),
  'merge.landed': mergeLanded,
  'merge.ejected': ejected,
  'lane.landed': (run, { phaseId, payload: { laneId } }) =>
    patchTasks(
      patchLane(run, laneId, () => ({ state: 'landed' })),
      phaseId,
      (task) => task.laneId === laneId,
      { state: 'landed' },
    ),
  'lane.closed': (run, { payload }) => patchLane(run, payload.laneId, () => ({ state: 'closed' })),
  'lane.abandoned': abandoned,
  'lane.reopened': evolveReopened,
};

function taskStarted(run: Run, { payload, phaseId }: Of<'task.started'>): Run {
  const { taskId: key, laneId, roleId, because = null, onto } = payload;
  const isMerged = onto?.head !== undefined;
  const inLane = patchLane(run, laneId, ({ reopens }) => ({
    ...(isMerged ? { base: onto.base, head: onto.head ?? null } : {}),
    ...defined({ head: onto?.late }),
    // The prompt of a repair includes what the person said.
    ...(reopens.length > 0 ? { reopens: reopens.map((each) => ({ ...each, isAsked: true })) } : {}),
  }));
  const begun = patchPhase(inLane, phaseId, (phase) => {
    const first = { nth: phase.attempts, cause: 'first' as const, changeRequest: null };
    const fresh = newAssignment(run, phase, { key, roleId, laneId, comments: commentsOfTask(run, phase, key) }, first);
    const assignment = { ...fresh, because, onto: onto && !isMerged ? onto.base : null };
    const others = phase.assignments.filter((each) => each.key !== key);
    return { assignments: [...others, assignment] };
  });
  return patchTasks(begun, phaseId, ({ id }) => id === key, { state: 'started', laneId });
}

function taskCompleted(run: Run, { payload, phaseId }: Of<'task.completed'>): Run {
  const { taskId, laneId, work, head, base } = payload;
  const done = closeAssignment(run, phaseId, (assignment) => assignment.key === taskId, work);
  const moved = patchLane(done, laneId, () => defined({ head, base }));
  return patchTasks(moved, phaseId, ({ id }) => id === taskId, { state: 'completed', work });
}

function enqueued(run: Run, { payload: { laneId, head, base }, phaseId }: Of<'merge.enqueued'>): Run {
  const queued = patchLane(run, laneId, () => ({
    state: 'queued',
    ...(base === undefined ? {} : { base, head }),
  }));
  return patchDag(queued, phaseId, ({ queue, late }) => ({ queue: [...queue, laneId], late: [...late, laneId] }));
}

function mergeLanded(run: Run, { payload, phaseId }: Of<'merge.landed'>): Run {
  const { from: before, to: commit, lanes, work } = payload;
  const landed = patchDag(run, phaseId, ({ queue, landings }) => ({
    main: commit,
    late: [],
    queue: queue.filter((laneId) => !lanes.includes(laneId)),
    landings: [...landings, ...lanes.map((laneId) => ({ laneId, before, commit }))],
  }));
  return addCommittedWork(landed, phaseId, work);
}

function ejected(run: Run, { payload, phaseId }: Of<'merge.ejected'>): Run {
  const { laneId, cause, base } = payload;
  const noted = patchLane(run, laneId, ({ ejections, state }) => ({
    ejections: [...ejections, payload],
    state: cause === 'raced' ? state : 'open',
  }));
  if (cause === 'raced') return patchDag(noted, phaseId, () => ({ main: base, late: [] }));
  // A refused resolution is over; the next one begins anew.
  const isOver = ({ laneId: of, work }: Assignment) => of === laneId && work === null;
  const back = patchDag(noted, phaseId, ({ queue }) => ({ late: [], queue: queue.filter((id) => id !== laneId) }));
  return closeAssignment(back, phaseId, isOver, NOTHING);
}

const NOTHING = { commit: null, files: 0, insertions: 0, deletions: 0 };

/** The lane ends without landing, and with it every task that builds on it. */
function abandoned(run: Run, { payload: { laneId, reason }, phaseId }: Of<'lane.abandoned'>): Run {
  const ended = patchLane(run, laneId, () => ({ state: 'abandoned', endedBecause: reason }));
  const closed = closeAssignment(ended, phaseId, (each) => each.laneId === laneId && each.work === null, NOTHING);
  return patchDag(closed, phaseId, (dag) => ({
    queue: dag.queue.filter((id) => id !== laneId),
    tasks: withoutLane(dag.tasks, laneId),
  }));
}

function withoutLane(tasks: readonly Task[], laneId: string): Task[] {
  const before = dependenciesOf(tasks);
  const lost = new Set(tasks.filter((task) => task.laneId === laneId && task.state !== 'landed').map(({ id }) => id));
  const isLost = ({ id }: Task) => lost.has(id) || [...allBefore(before, id)].some((each) => lost.has(each));
  return tasks.map((task) => (isLost(task) ? { ...task, state: 'abandoned' } : task));
}

/** The agents have nothing more to do for these assignments. */
function closeAssignment(
  run: Run,
  phaseId: string | null,
  which: (assignment: Assignment) => boolean,
  work: NonNullable<Task['work']>,
): Run {
  return patchPhase(run, phaseId, (phase) =>
    moveAssignments(phase, which, (each) => ({
      work,
      ...(isDue(each) || each.status === 'failed' ? { status: 'validated', prompt: null } : {}),
    })),
  );
}

function patchDag(run: Run, phaseId: string | null, change: (dag: Dag) => Partial<Dag>): Run {
  return patchPhaseOf('lanes', run, phaseId, ({ dag }) => (dag ? { dag: { ...dag, ...change(dag) } } : {}));
}

function patchTasks(run: Run, phaseId: string | null, which: (task: Task) => boolean, change: Partial<Task>): Run {
  return patchDag(run, phaseId, ({ tasks }) => ({
    tasks: tasks.map((task) => (which(task) ? { ...task, ...change } : task)),
  }));
}
