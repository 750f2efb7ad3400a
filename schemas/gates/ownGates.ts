import type { ApprovalDecisionAction, GateKind } from '../enums.ts';
import { MAIN } from '../mainLane.ts';
import { holdsFailure } from './gateKinds.ts';

/** The gates that devflow opens itself, besides those of failures. */
export type OwnGate =
  | 'parallel_dag_approved'
  | 'probes_approved'
  | 'writeset_conflict'
  | 'merge_conflict'
  | 'merge_failed'
  | 'base_red'
  | 'review_unconverged'
  | 'review_dispute'
  | 'contract_drift'
  | 'iterations_exhausted'
  | 'objective_not_met'
  | 'session_boundary'
  | 'turn_ended'
  | 'delivery_uncertain'
  | 'host_unreachable';

/** An agent's turn ended without its artifact. */
export const TURN_GATE = 'turn_ended' satisfies OwnGate;
/** devflow would run what a repository says. */
export const PROBES_GATE = 'probes_approved' satisfies OwnGate;
/** Nobody can tell whether an agent took its prompt. */
export const UNCERTAIN_GATE = 'delivery_uncertain' satisfies OwnGate;
/** The host of the run takes no work. devflow withdraws the gate once it does. */
export const HOST_GATE = 'host_unreachable' satisfies OwnGate;

/** What a decision does at such a gate; null if the gate does not take it. */
type Consequences = Readonly<Record<Exclude<ApprovalDecisionAction, 'abort'>, string | null>>;

const OWN_GATES: Readonly<Record<OwnGate, Consequences>> = {
  parallel_dag_approved: {
    approve: 'The tasks of each pair run one after the other; all others run in parallel.',
    request_changes: 'The plan is written again, with your comment.',
    reject: 'The run ends as failed.',
  },
  probes_approved: {
    approve: 'devflow runs these commands in a copy of the repository.',
    request_changes: 'devflow runs none of them, and goes on with what it read.',
    reject: 'The run ends as failed.',
  },
  writeset_conflict: {
    approve: 'The lane may change these files, and goes on.',
    request_changes: 'The agent of the lane changes its work, as your comment says.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  merge_conflict: {
    approve: 'The agents try again to resolve the conflict.',
    request_changes: 'The agents try again to resolve the conflict, as your comment says.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  merge_failed: {
    approve: 'The agent of the lane tries again.',
    request_changes: 'The agent of the lane tries again, as your comment says.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  base_red: {
    approve: 'Merges may be as red as the branch is now, and not worse. A check that becomes green is required again.',
    request_changes: null,
    reject: 'The run ends as failed.',
  },
  review_unconverged: {
    approve: 'The change passes with what is open; the report lists it.',
    request_changes: 'The implementer gets one more round, with your comment.',
    reject: 'The run ends as failed.',
  },
  review_dispute: {
    approve: 'Each finding named here is dismissed, and the review goes on.',
    request_changes: 'Each finding named here counts, and the implementer fixes it, as your comment says.',
    reject: 'The run ends as failed.',
  },
  contract_drift: {
    approve: 'The run goes on with the files as they are now.',
    request_changes: 'devflow puts back what it published, and the run goes on.',
    reject: 'The run ends as failed.',
  },
  iterations_exhausted: {
    approve: 'The run goes on with what is open; the report lists it.',
    request_changes: 'There is one more iteration, with your comment.',
    reject: 'The run ends as failed.',
  },
  objective_not_met: {
    approve: 'The run goes on with the best iteration; the report says what is not met.',
    request_changes:
      'The loop goes on, with as many iterations again and your comment. The holdout may be opened once more.',
    reject: 'The run ends as failed.',
  },
  session_boundary: {
    approve: 'The next phase begins in a new conversation.',
    request_changes: 'The next phase continues in the same conversation.',
    reject: 'The run ends as failed.',
  },
  turn_ended: {
    approve: 'devflow waits: the agent goes on by itself, or you go on with it in its pane.',
    request_changes:
      'The agent gets your comment as a message in its conversation. Without a comment it is asked again.',
    reject: 'The run ends as failed.',
  },
  delivery_uncertain: {
    approve:
      'The agent has the prompt: devflow waits for its work, and types nothing. If it was restarted since, the next attempt begins.',
    request_changes: 'The agent does not have the prompt: devflow sends it again, with your comment if you write one.',
    reject: 'The run ends as failed.',
  },
  host_unreachable: {
    approve: null,
    request_changes: null,
    reject: 'The run ends as failed.',
  },
};

/** Files that do not keep to their contract, or are gone, cannot be taken. */
const INVALID_DRIFT: Consequences = { ...OWN_GATES.contract_drift, approve: null };

/** At changes that a person wants of a result, beyond the iterations of the template. */
const BEYOND_LIMIT: Consequences = {
  ...OWN_GATES.iterations_exhausted,
  approve: 'The result stays as it is, and devflow asks about it again.',
  request_changes: 'There is one more iteration, about what you asked for, or your comment.',
};

/** At a conflict that is resolved, but without some tests. */
const DROPPED_TESTS: Consequences = {
  ...OWN_GATES.merge_conflict,
  approve: 'The resolution is accepted, and these tests are dropped.',
  request_changes: 'The resolution is refused. The agents resolve the conflict again, as your comment says.',
};

const RETRY: Consequences = {
  approve: 'The agent tries again. The other work of the run goes on meanwhile.',
  request_changes: 'The agent tries again, as your comment says.',
  reject: 'The run ends as failed.',
};

/** No agent reads a comment about what devflow itself does in a worktree. */
const RETRY_OF_LANE: Consequences = {
  approve: 'devflow tries again. The other work of the run goes on meanwhile.',
  request_changes: null,
  reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
};

/** In older runs nothing is compared. */
const BASE_RED_FOR_GOOD: Consequences = {
  ...OWN_GATES.base_red,
  approve: 'The failed checks are not required any more; all others are.',
};

interface Gate {
  gateKey: string;
  kind: GateKind;
  laneId: string | null;
  assignment: string | null;
  subject?: Readonly<Record<string, unknown>>;
}

/**
 * What decisions do at one of devflow's own gates or at a gate of an assignment; undefined for other gates, where their names
 * say it.
 */
export function consequencesOf({ gateKey, kind, laneId, assignment, subject = {} }: Gate): Consequences | undefined {
  if (gateKey === 'contract_drift' && subject.isInvalid === true) return INVALID_DRIFT;
  if (holdsFailure({ kind }) && !isOwnGate(gateKey)) {
    if (assignment !== null) return RETRY;
    return laneId === null ? undefined : retryOfLane(laneId);
  }
  if (!isOwnGate(gateKey)) return undefined;
  if (gateKey === 'iterations_exhausted' && subject.wanted !== undefined) return BEYOND_LIMIT;
  if (gateKey === 'base_red' && subject.landings === undefined) return BASE_RED_FOR_GOOD;
  const { droppedTests } = subject;
  const isResolved = gateKey === 'merge_conflict' && Array.isArray(droppedTests) && droppedTests.length > 0;
  return isResolved ? DROPPED_TESTS : OWN_GATES[gateKey];
}

/** Whether a person may ask for changes without saying which. */
export function isCommentOptional({ gateKey, subject }: Pick<Gate, 'gateKey' | 'subject'>): boolean {
  if (gateKey === 'iterations_exhausted') return typeof subject?.wanted === 'string' && subject.wanted !== '';
  return gateKey === TURN_GATE || gateKey === UNCERTAIN_GATE || gateKey === PROBES_GATE;
}

function retryOfLane(laneId: string): Consequences {
  return laneId === MAIN ? { ...RETRY_OF_LANE, reject: 'The run ends as failed.' } : RETRY_OF_LANE;
}

export function isOwnGate(gateKey: string): gateKey is OwnGate {
  return Object.hasOwn(OWN_GATES, gateKey);
}
