import type { ApprovalDecisionAction } from './enums.ts';

/** The gates that devflow opens itself in phases of lanes and of reviews. */
export type LaneGate =
  | 'parallel_dag_approved'
  | 'writeset_conflict'
  | 'merge_conflict'
  | 'merge_failed'
  | 'base_red'
  | 'review_unconverged'
  | 'review_dispute';

/** What a decision does at such a gate; null if it does not take this decision. */
type Consequences = Readonly<Record<Exclude<ApprovalDecisionAction, 'abort'>, string | null>>;

const LANE_GATES: Readonly<Record<LaneGate, Consequences>> = {
  parallel_dag_approved: {
    approve: 'The tasks of each pair run one after the other; all others run in parallel.',
    request_changes: 'The plan is written again, with your comment.',
    reject: 'The run ends as failed.',
  },
  writeset_conflict: {
    approve: 'The lane may change these files, and goes on.',
    request_changes: 'The agent of the lane changes its work, by your comment.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  merge_conflict: {
    approve: 'The agents try again to resolve the conflict.',
    request_changes: 'The agents try again to resolve the conflict, by your comment.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  merge_failed: {
    approve: 'The agent of the lane tries again.',
    request_changes: 'The agent of the lane tries again, by your comment.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  base_red: {
    approve: 'The failed checks are not required any more; all others are.',
    request_changes: null,
    reject: 'The run ends as failed.',
  },
  review_unconverged: {
    approve: 'The change passes with these findings; they stay in the report as accepted.',
    request_changes: 'The implementer gets one more round, with your comment.',
    reject: 'The run ends as failed.',
  },
  review_dispute: {
    approve: 'These findings are dismissed, and the review goes on.',
    request_changes: 'These findings count, and the implementer fixes them, by your comment.',
    reject: 'The run ends as failed.',
  },
};

/** At a conflict that is resolved, but without some tests. */
const DROPPED_TESTS: Consequences = {
  ...LANE_GATES.merge_conflict,
  approve: 'The resolution is accepted, and these tests are dropped.',
  request_changes: 'The resolution is refused. The agents resolve the conflict again, by your comment.',
};

const RETRY: Consequences = {
  approve: 'The agent tries again. The other work of the run goes on meanwhile.',
  request_changes: 'The agent tries again, by your comment.',
  reject: 'The run ends as failed.',
};

interface Gate {
  gateKey: string;
  kind: string;
  assignment: string | null;
  subject?: Readonly<Record<string, unknown>>;
}

/** What decisions do at a gate of a lane or of an assignment; undefined for other gates, where their names say it. */
export function consequencesOf({ gateKey, kind, assignment, subject = {} }: Gate): Consequences | undefined {
  if (kind === 'recovery') return assignment === null ? undefined : RETRY;
  if (!isLaneGate(gateKey)) return undefined;
  const { droppedTests } = subject;
  const isResolved = gateKey === 'merge_conflict' && Array.isArray(droppedTests) && droppedTests.length > 0;
  return isResolved ? DROPPED_TESTS : LANE_GATES[gateKey];
}

export function isLaneGate(gateKey: string): gateKey is LaneGate {
  return Object.hasOwn(LANE_GATES, gateKey);
}
