import type { RiskLevel, TaskState } from '../../../schemas/enums.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { MergeTest } from '../../../schemas/kinds/lanes/events.ts';
import type { NotDone } from '../../../schemas/kinds/lanes/notDone.ts';
import type { StateRules } from '../stateRules.ts';
import { allBefore, dependenciesOf } from './graph/taskGraph.ts';

/** A node of the plan that a phase of lanes carries out. */
export interface Task {
  id: string;
  title: string;
  description: string;
  requirements: string[];
  dependsOn: string[];
  /** Globs of the files that it may change. */
  writeSet: string[];
  /** The comments of a person that its agent answers. Absent for a task of the plan. */
  comments?: string[];
  checks: { argv: string[]; timeoutMs?: number }[];
  risk: RiskLevel;
  size: 's' | 'm' | 'l';
  laneId: string | null;
  state: TaskState;
  work: CommittedWork | null;
}

/** The progress of a phase of lanes with its plan. */
export interface Dag {
  /** The hash of the plan. */
  plan: string;
  tasks: Task[];
  /** The tip of `main`: everything that landed. */
  main: string;
  /** Lanes in the merge queue, in the order in which they finished. */
  queue: string[];
  /** Lanes that were queued after the queue's last step, perhaps while the next one runs. */
  late: string[];
  /** The tests of the merge queue, oldest first. */
  tests: MergeTest[];
  /** Lanes that landed, in order, and the tip of `main` before and after. */
  landings: { laneId: string; before: string; commit: string }[];
}

export interface LanesState {
  /** Null before the first attempt. */
  dag: Dag | null;
}

export const lanesState: StateRules<LanesState> = {
  initial: { dag: null },
  endsWithAssignments: false,
  landed: ({ dag }) => dag?.landings.at(-1)?.commit,
  countTasks: ({ dag }) => dag?.tasks.length ?? 0,
  willAnswer({ dag }, commentId) {
    const tasks = dag?.tasks ?? [];
    return tasks.some(({ state, comments }) => state === 'waiting' && comments?.includes(commentId));
  },
  isPlanned: ({ dag }, laneId) => dag?.tasks.some((task) => task.laneId === laneId) ?? false,
  notDone({ dag }, endedBecause) {
    const tasks = dag?.tasks ?? [];
    return tasks
      .filter(({ state }) => state === 'abandoned')
      .map(({ id: taskId, title, laneId }) => {
        const ended = laneId === null ? undefined : endedBecause(laneId);
        return { taskId, title, laneId, why: ended ?? whatItBuildsOn(tasks, taskId) };
      });
  },
};

function whatItBuildsOn(tasks: readonly Task[], id: string): NotDone['why'] {
  const before = allBefore(dependenciesOf(tasks), id);
  const ended = tasks.filter((task) => before.has(task.id) && task.state === 'abandoned');
  const first = ended.find((task) => task.laneId !== null) ?? ended[0];
  return first ? `it builds on ${first.id}` : 'its lane ended';
}
