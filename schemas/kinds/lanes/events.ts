import { z } from 'zod';
import { defineEvent, type KeyFacts } from '../../events/define.ts';
import { CommittedWork } from '../../events/phase.ts';
import { FailedSetup } from '../../events/worktree.ts';

const laneId = z.string();
const commit = z.string();
/** A lane as it was queued. */
const LaneHead = z.strictObject({ laneId, head: commit });
export type LaneHead = z.infer<typeof LaneHead>;

const perLane =
  (type: string) =>
  ({ runId, payload }: KeyFacts<{ laneId: string }>) =>
    `${type}:${runId}:${payload.laneId}`;
const perTask =
  (type: string) =>
  ({ phaseId, payload }: KeyFacts<{ laneId: string; taskId: string }>) =>
    `${type}:${phaseId}:${payload.laneId}:${payload.taskId}`;
const perHead =
  (type: string) =>
  ({ runId, payload }: KeyFacts<{ laneId: string; head: string }>) =>
    `${type}:${runId}:${payload.laneId}:${payload.head}`;
const perReturn =
  (type: string) =>
  ({ runId, payload: { laneId, head, again } }: KeyFacts<{ laneId: string; head: string; again?: number }>) =>
    [type, runId, laneId, head, ...(again === undefined ? [] : [again])].join(':');
/** The number of times that the lane came back from the queue with this head; absent the first time. */
const again = z.number().int().positive().optional();

/** The result of a check of the merge queue. */
export const CheckResult = z.strictObject({
  argv: z.array(z.string()),
  /** Null if a signal ended it. */
  exitCode: z.number().int().nullable(),
  reason: z.string(),
  stdoutPath: z.string(),
  stderrPath: z.string(),
  /** The lines of a failed check that say why, without what differs in each run. Absent: they cannot be compared. */
  signs: z.array(z.string()).optional(),
  /** The last lines of its output, if it failed. Absent in older runs. */
  tail: z.string().optional(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** A merge of lanes onto `base`, and how the checks ended at its tree. */
export const MergeTest = z.strictObject({
  base: commit,
  /** Empty for a test of the base itself. */
  lanes: z.array(LaneHead),
  /** The commit after each lane. */
  commits: z.array(commit),
  /** The last of them, or the base. */
  commit,
  /** Its tree: what was tested. */
  tree: z.string(),
  /** Hash of the checks; empty if there are none. */
  checks: z.string(),
  /** 2: the same tree was tested once more. */
  nth: z.number().int().positive(),
  /** Indexes of the checks that failed. */
  failed: z.array(z.number().int().nonnegative()),
  results: z.array(CheckResult),
  /** The checks ran without a set-up, which was guessed and failed. Absent: it went well, or there is none. */
  setup: FailedSetup.optional(),
});
export type MergeTest = z.infer<typeof MergeTest>;

/**
 * Why the queue sent a lane back. `own`: its checks fail without the other lanes. `interaction`: they fail only together with
 * lanes that landed. `raced`: somebody else moved the branch; nobody is to blame.
 */
export const EjectionCause = z.enum(['conflict', 'own', 'interaction', 'raced']);
export type EjectionCause = z.infer<typeof EjectionCause>;

export const Ejection = z.strictObject({
  laneId,
  head: commit,
  /** Counts the lane's returns. */
  nth: z.number().int().positive(),
  cause: EjectionCause,
  /** The tip of the run's branch at that time. */
  base: commit,
  /** Conflicting paths. */
  paths: z.array(z.string()),
  /** The landed lanes that it collides with. */
  with: z.array(laneId),
  /** The checks that failed. */
  results: z.array(CheckResult),
  /** Why devflow refused a resolution of the conflict. */
  faults: z.array(z.string()),
});
export type Ejection = z.infer<typeof Ejection>;

export const laneEvents = [
  defineEvent(
    'lane.opened',
    z.strictObject({ laneId, roleId: z.string(), path: z.string(), branch: z.string(), base: commit }),
    perLane('lane.opened'),
  ),
  defineEvent(
    'task.started',
    z.strictObject({
      /** A task of the plan, or a repair of the lane. */
      taskId: z.string(),
      laneId,
      roleId: z.string(),
      /** The reason for a repair. */
      because: z.string().optional(),
      /**
       * The tip of `main` that a repair starts from. `head`: it is merged into the lane; absent: it conflicts. `late`: the head
       * of the lane in the conflict, if its agent committed after its turn.
       */
      onto: z.strictObject({ base: commit, head: commit.optional(), late: commit.optional() }).optional(),
    }),
    perTask('task.started'),
  ),
  defineEvent(
    'task.completed',
    z.strictObject({
      taskId: z.string(),
      laneId,
      work: CommittedWork,
      /** The tip of the lane. */
      head: commit,
      /** The tip of `main` that the lane contains now, if a conflict was resolved. */
      base: commit.optional(),
    }),
    perTask('task.completed'),
  ),
  defineEvent(
    'lane.drifted',
    z.strictObject({
      laneId,
      head: commit,
      /** Changed paths outside the lane's write sets, at most 200. */
      paths: z.array(z.string()),
      /** Lanes that may write the same paths. */
      with: z.array(laneId),
    }),
    perHead('lane.drifted'),
  ),
  defineEvent('lane.finished', z.strictObject({ laneId, head: commit, again }), perReturn('lane.finished')),
  defineEvent(
    'merge.enqueued',
    z.strictObject({
      laneId,
      head: commit,
      /** The tip of `main` that the lane contains now, if it came in without a conflict. */
      base: commit.optional(),
      again,
    }),
    perReturn('merge.enqueued'),
  ),
  defineEvent(
    'merge.tested',
    MergeTest,
    ({ phaseId, payload: { base, commit, checks, nth } }) =>
      `merge.tested:${phaseId}:${base}:${commit}:${checks}:${nth}`,
  ),
  defineEvent(
    'merge.landed',
    z.strictObject({
      from: commit,
      to: commit,
      lanes: z.array(laneId),
      /** Lanes whose checks failed first and passed when they ran again. */
      flaky: z.array(laneId),
      work: CommittedWork,
    }),
    // A lane without changes lands without a new commit.
    ({ phaseId, payload: { to, lanes } }) => `merge.landed:${phaseId}:${to}:${lanes[0]}`,
  ),
  defineEvent('lane.landed', z.strictObject({ laneId, commit }), perLane('lane.landed')),
  defineEvent(
    'merge.ejected',
    Ejection,
    ({ runId, payload: { laneId, nth } }) => `merge.ejected:${runId}:${laneId}:${nth}`,
  ),
  /** Its phase needs it no longer; nothing in it was to land. */
  defineEvent('lane.closed', z.strictObject({ laneId }), perLane('lane.closed')),
  defineEvent(
    'lane.abandoned',
    z.strictObject({
      laneId,
      reason: z.string(),
      /** Counts how often the lane was abandoned; absent the first time. */
      nth: z.number().int().positive().optional(),
    }),
    ({ runId, payload: { laneId: id, nth } }) =>
      ['lane.abandoned', runId, id, ...(nth === undefined ? [] : [nth])].join(':'),
  ),
  /** A person takes an abandoned lane up again. */
  defineEvent(
    'lane.reopened',
    z.strictObject({
      laneId,
      nth: z.number().int().positive(),
      /** The person's words about it. */
      comment: z.string().nullable(),
    }),
    ({ runId, payload }) => `lane.reopened:${runId}:${payload.laneId}:${payload.nth}`,
  ),
] as const;
