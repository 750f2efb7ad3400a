import type { LaneState, RiskLevel, TaskState } from '../../../schemas/enums.ts';
import type { Ejection, MergeTest } from '../../../schemas/events/lanes.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';

/** A worktree with its branch. `main` always exists; a phase opens the others. */
export interface Lane {
  id: string;
  /** The phase that opened it; null for `main`. */
  phaseId: string | null;
  /** The role instance that works in it; null for `main`. */
  roleId: string | null;
  path: string;
  branch: string;
  /** The tip of `main` that it builds on. */
  base: string;
  /** devflow's last commit in it; null before the first. */
  head: string | null;
  state: LaneState;
  /** Why it was abandoned; null otherwise. */
  endedBecause: string | null;
  /** How often a person took it up again, and what they said. `isAsked`: its agent was asked for something since. */
  reopens: { nth: number; comment: string | null; isAsked: boolean }[];
  /** Why the merge queue sent it back, oldest first. */
  ejections: Ejection[];
}

/** A node of the plan that a phase of lanes carries out. */
export interface Task {
  id: string;
  title: string;
  description: string;
  requirements: string[];
  dependsOn: string[];
  /** Globs of the files that it may change. */
  writeSet: string[];
  checks: { argv: string[]; timeoutMs?: number }[];
  risk: RiskLevel;
  size: 's' | 'm' | 'l';
  laneId: string | null;
  state: TaskState;
  work: CommittedWork | null;
}

/** How far a phase of lanes is with its plan. */
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
  /** What the merge queue tested, oldest first. */
  tests: MergeTest[];
  /** Lanes that landed, in order, and the tip of `main` before and after. */
  landings: { laneId: string; before: string; commit: string }[];
}
