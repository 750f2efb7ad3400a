import type { RunEvent } from '../../../schemas/events/index.ts';
import { moveAssignments } from '../../core/assignment/moveAssignments.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import { addCommittedWork } from '../../core/run/committedWork.ts';
import { patchLane, patchPhase, patchPhaseOf } from '../../core/run/patch.ts';
import { isDue } from '../../core/run/query.ts';
import type { Assignment, Lane, Run } from '../../core/run/state.ts';
import { allBefore, dependenciesOf } from './graph/taskGraph.ts';
import type { Dag, Task } from './state.ts';

type LaneEvent = Exclude<
  Extract<RunEvent, { type: `lane.${string}` | `task.${string}` | `merge.${string}` }>,
  { type: 'lane.reopened' }
>;
type Of<T extends LaneEvent['type']> = Extract<LaneEvent, { type: T }>;

/** Lanes, tasks and the merge queue. */
export function evolveLanes(run: Run, event: LaneEvent): Run {
  switch (event.type) {
    case 'lane.opened': {
      const { laneId: id, ...facts } = event.payload;
      return { ...run, lanes: [...run.lanes, newLane({ id, phaseId: event.phaseId, ...facts })] };
    }
    case 'task.started':
      return taskStarted(run, event);
    case 'task.completed':
      return taskCompleted(run, event);
    case 'lane.finished':
    case 'lane.drifted':
      return run;
    case 'merge.enqueued':
      return enqueued(run, event);
    case 'merge.tested':
      return patchDag(run, event.phaseId, ({ tests }) => ({ tests: [...tests, event.payload], late: [] }));
    case 'merge.landed':
      return mergeLanded(run, event);
    case 'lane.landed':
      return patchTasks(
        patchLane(run, event.payload.laneId, () => ({ state: 'landed' })),
        event.phaseId,
        (task) => task.laneId === event.payload.laneId,
        { state: 'landed' },
      );
    case 'lane.closed':
      return patchLane(run, event.payload.laneId, () => ({ state: 'closed' }));
    case 'merge.ejected':
      return ejected(run, event);
    case 'lane.abandoned':
      return abandoned(run, event);
    default:
      return event satisfies never;
  }
}

/** A lane as it begins. */
export function newLane(facts: Pick<Lane, 'id' | 'phaseId' | 'roleId' | 'path' | 'branch' | 'base'>): Lane {
  return { ...facts, head: null, state: 'open', endedBecause: null, reopens: [], ejections: [] };
}

function taskStarted(run: Run, { payload, phaseId }: Of<'task.started'>): Run {
  const { taskId: key, laneId, roleId, because = null, onto } = payload;
  const isMerged = onto?.head !== undefined;
  const inLane = patchLane(run, laneId, ({ reopens }) => ({
    ...(isMerged ? { base: onto.base, head: onto.head ?? null } : {}),
    ...(onto?.late === undefined ? {} : { head: onto.late }),
    // The prompt of a repair includes what the person said.
    ...(reopens.length > 0 ? { reopens: reopens.map((each) => ({ ...each, isAsked: true })) } : {}),
  }));
  const begun = patchPhase(inLane, phaseId, (phase) => {
    const first = { nth: phase.attempts, cause: 'first' as const, changeRequest: null };
    const fresh = newAssignment(run, phase, { key, roleId, laneId }, first);
    const assignment = { ...fresh, because, onto: onto && !isMerged ? onto.base : null };
    const others = phase.assignments.filter((each) => each.key !== key);
    return { assignments: [...others, assignment] };
  });
  return patchTasks(begun, phaseId, ({ id }) => id === key, { state: 'started', laneId });
}

function taskCompleted(run: Run, { payload, phaseId }: Of<'task.completed'>): Run {
  const { taskId, laneId, work, head, base } = payload;
  const done = closeAssignment(run, phaseId, (assignment) => assignment.key === taskId, work);
  const moved = patchLane(done, laneId, () => ({ head, ...(base === undefined ? {} : { base }) }));
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
