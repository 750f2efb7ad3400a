import { z } from 'zod';
import { ApprovalState, Backend, LaneState, RiskLevel, ShownSessionState, TaskState } from '../../enums.ts';
import { CommittedWork } from '../../events/phase.ts';
import { EjectionCause } from '../../kinds/lanes/events.ts';

/** A lane in a run's details. The run's own worktree, `main`, is not among them. */
export const LaneSummary = z.object({
  laneId: z.string(),
  phaseKey: z.string(),
  roleId: z.string().nullable(),
  state: LaneState,
  /** Null if its agent only reads. */
  branch: z.string().nullable(),
  path: z.string(),
  /** Ids of its tasks, in the order in which it took them. */
  tasks: z.array(z.string()),
});
export type LaneSummary = z.infer<typeof LaneSummary>;

/** Why the merge queue sent a lane back. */
export const EjectionView = z.object({
  cause: EjectionCause,
  /** The tip of the run's branch at that time. */
  base: z.string(),
  /** Conflicting paths. */
  paths: z.array(z.string()),
  /** The landed lanes that it collides with. */
  with: z.array(z.string()),
  failedChecks: z.array(z.object({ argv: z.array(z.string()), reason: z.string(), stdoutPath: z.string() })),
  /** Why devflow refused a resolution of the conflict. */
  faults: z.array(z.string()),
});
export type EjectionView = z.infer<typeof EjectionView>;

export const LaneView = LaneSummary.omit({ phaseKey: true }).extend({
  /** The commit of the run's branch that it builds on. */
  base: z.string(),
  head: z.string().nullable(),
  /** The sessions of its agents, newest last. */
  sessionIds: z.array(z.string()),
  /** Gates of the lane that wait for a decision. */
  openGates: z.array(z.string()),
  /** Oldest first. */
  ejections: z.array(EjectionView),
  /** Checks of its tasks that failed once and passed when they ran again. An older daemon does not say. */
  flakyChecks: z.array(z.array(z.string())).optional(),
});
export type LaneView = z.infer<typeof LaneView>;

export const TaskView = z.object({
  taskId: z.string(),
  title: z.string(),
  state: TaskState,
  laneId: z.string().nullable(),
  roleId: z.string().nullable(),
  /** The agent that works on it, or did last. */
  session: z.object({ sessionId: z.string(), backend: Backend, state: ShownSessionState }).nullable(),
  dependsOn: z.array(z.string()),
  /** Tasks that it comes after because both may write the same files. */
  orderedAfter: z.array(z.string()),
  /** Globs of the files that it may change. */
  writeSet: z.array(z.string()),
  size: z.enum(['s', 'm', 'l']),
  risk: RiskLevel,
  /** 0 for a task that waits for no other; else one more than the last of those. */
  layer: z.number().int().nonnegative(),
  work: CommittedWork.nullable(),
});
export type TaskView = z.infer<typeof TaskView>;

/** Where a lane is on its way to the run's branch. */
export const QueuePlace = z.enum(['waiting', 'testing', 'landed', 'sent_back']);
export type QueuePlace = z.infer<typeof QueuePlace>;

export const QueueEntry = z.object({
  laneId: z.string(),
  place: QueuePlace,
  /** Why it was sent back, in a sentence. */
  reason: z.string().nullable(),
});
export type QueueEntry = z.infer<typeof QueueEntry>;

/** Why two tasks may write the same files: `sharedReason.ts`. */
const SharedReason = z.object({
  kind: z.enum(['file', 'forbidden', 'pattern', 'undecided']),
  files: z.array(z.string()).optional(),
  count: z.number().int().optional(),
  glob: z.string().optional(),
  globs: z.array(z.string()).optional(),
});

/** The pairs in the subject of a gate `parallel_dag_approved`. */
export const SharedPairs = z.array(z.object({ a: z.string(), b: z.string(), reasons: z.array(SharedReason) }));

/** Two tasks that may write the same files. */
export const OverlapView = z.object({
  tasks: z.tuple([z.string(), z.string()]),
  reasons: z.array(SharedReason),
  /** Some of the files that both may write. */
  files: z.array(z.string()),
  approvalId: z.string(),
  state: ApprovalState,
});
export type OverlapView = z.infer<typeof OverlapView>;

/** A lane changed files outside its write set that other lanes may change too. */
export const DriftView = z.object({
  laneId: z.string(),
  paths: z.array(z.string()),
  with: z.array(z.string()),
  approvalId: z.string(),
  state: ApprovalState,
});
export type DriftView = z.infer<typeof DriftView>;

/** A merge of lanes that the queue tested. */
export const MergeTestView = z.object({
  base: z.string(),
  /** Empty for a test of the run's branch itself. */
  lanes: z.array(z.string()),
  commit: z.string(),
  green: z.boolean(),
  /** 2: the same files were tested once more. */
  nth: z.number().int().positive(),
  /** Green after the same files were red. */
  flaky: z.boolean(),
  failedChecks: EjectionView.shape.failedChecks,
});
export type MergeTestView = z.infer<typeof MergeTestView>;

/** A phase that works in lanes, from its plan to what landed. */
export const LanesPhaseView = z.object({
  phaseKey: z.string(),
  title: z.string(),
  /** False until its plan is there. */
  planned: z.boolean(),
  tasks: z.array(TaskView),
  lanes: z.array(LaneView),
  /** The queue in its order, then the lanes that were sent back, then those that landed. */
  queue: z.array(QueueEntry),
  overlaps: z.array(OverlapView),
  drift: z.array(DriftView),
  /** Oldest first. */
  tests: z.array(MergeTestView),
});
export type LanesPhaseView = z.infer<typeof LanesPhaseView>;

export const RunLanes = z.object({ runId: z.string(), phases: z.array(LanesPhaseView) });
export type RunLanes = z.infer<typeof RunLanes>;
