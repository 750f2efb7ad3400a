import { normaliseGlob } from '../../../schemas/definitions/globRule.ts';
import { laneSettings } from '../../../schemas/kinds/lanes/settings.ts';
import { openComments } from '../../core/comments/comments.ts';
import { definitionOf, isOf } from '../../core/run/query.ts';
import type { Artifact, Phase, PhaseOf, Run } from '../../core/run/state.ts';
import type { Dag, Task } from './state.ts';

export type LanesPhase = PhaseOf<'lanes'>;

/** The parts of a task that the plan gives. */
type Planned = Omit<Task, 'laneId' | 'state' | 'work'>;

/** The phase whose artifact is the plan. */
export function planPhaseOf(run: Run, phase: LanesPhase): Phase {
  const { from } = laneSettings(run.template, definitionOf(run, phase));
  const found = run.phases.find(({ key }) => key === from);
  if (!found) throw new TypeError(`phase ${phase.key} has no plan`);
  return found;
}

/** The approved plan. */
export function planOf(run: Run, phase: LanesPhase): Artifact {
  const [assignment] = planPhaseOf(run, phase).assignments;
  if (!assignment?.artifact) throw new TypeError(`the plan of phase ${phase.key} has no artifact`);
  return assignment.artifact;
}

/** Everything is still to do. The plan was checked when it was validated. */
export function newDag(plan: Artifact, main: string): Dag {
  const { tasks } = plan.data as { tasks: Planned[] };
  return { plan: plan.hash, tasks: tasks.map(tidied).map(waiting), main, queue: [], late: [], tests: [], landings: [] };
}

/** `src/` means everything in it. */
function tidied(planned: Planned): Planned {
  const writeSet = planned.writeSet.flatMap((text) => {
    const normal = normaliseGlob(text);
    return 'glob' in normal ? [normal.glob] : [];
  });
  return { ...planned, writeSet };
}

/** A person asked for changes of what landed: one more task, which may touch everything. */
export function withChanges(dag: Dag, nth: number, comment: string, comments: string[]): Dag {
  const change = waiting({
    id: freeId(dag.tasks, nth),
    title: 'Requested changes',
    description: comment,
    requirements: [],
    dependsOn: dag.tasks.filter(({ state }) => state !== 'abandoned').map(({ id }) => id),
    writeSet: ['**'],
    checks: [],
    risk: 'medium',
    size: 'm',
    ...(comments.length > 0 ? { comments } : {}),
  });
  return { ...dag, tasks: [...dag.tasks, change] };
}

/** The comments that the agent of a task must answer: those without an answer. */
export function commentsOfTask(run: Run, phase: Phase, key: string): string[] {
  const task = isOf('lanes', phase) ? phase.dag?.tasks.find(({ id }) => id === key) : undefined;
  const open = openComments(run, phase);
  return task?.comments?.filter((id) => open.includes(id)) ?? [];
}

/** The plan can have a task of this name. */
function freeId(tasks: readonly Task[], nth: number): string {
  const id = `changes-${nth}`;
  return tasks.some((task) => task.id === id) ? freeId(tasks, nth + 1) : id;
}

function waiting(planned: Planned): Task {
  return { ...planned, laneId: null, state: 'waiting', work: null };
}

/** The plan of a phase that is at work. */
export function dagOf(phase: LanesPhase): Dag {
  if (!phase.dag) throw new TypeError(`phase ${phase.key} has no plan`);
  return phase.dag;
}
