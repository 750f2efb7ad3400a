import type { Consequences, OwnGateRule } from '../definitions/phase/kindDefinition.ts';
import type { GateKind, PhaseKind } from '../enums.ts';
import { LANES_GATES } from '../kinds/lanes/gates.ts';
import { REVIEW_GATES } from '../kinds/review/gates.ts';
import { PROBES_GATE, STEP_GATES } from '../kinds/step/gates.ts';
import { MAIN } from '../mainLane.ts';
import { holdsFailure } from './gateKinds.ts';

/** An agent's turn ended without its artifact. */
export const TURN_GATE = 'turn_ended' satisfies OwnGate;
/** Nobody can tell whether an agent took its prompt. */
export const UNCERTAIN_GATE = 'delivery_uncertain' satisfies OwnGate;
/** The host of the run takes no work. devflow withdraws the gate once it does. */
export const HOST_GATE = 'host_unreachable' satisfies OwnGate;
/** A worktree could not be set up. */
export const SETUP_GATE = 'setup_failed' satisfies OwnGate;

const DRIFT: Consequences = {
  approve: 'The run goes on with the files as they are now.',
  request_changes: 'devflow puts back what it published, and the run goes on.',
  reject: 'The run ends as failed.',
};

/** Files that do not keep to their contract, or are gone, cannot be taken. */
const INVALID_DRIFT: Consequences = { ...DRIFT, approve: null };

const EXHAUSTED: Consequences = {
  approve: 'The run goes on with what is open; the report lists it.',
  request_changes: 'There is one more iteration, with your comment.',
  reject: 'The run ends as failed.',
};

/** At changes that a person wants of a result, beyond the iterations of the template. */
const BEYOND_LIMIT: Consequences = {
  ...EXHAUSTED,
  approve: 'The result stays as it is, and devflow asks about it again.',
  request_changes: 'There is one more iteration, about what you asked for, or your comment.',
};

/** Gates of phases of any kind. */
const COMMON = {
  contract_drift: ({ isInvalid }) => (isInvalid === true ? INVALID_DRIFT : DRIFT),
  iterations_exhausted: ({ wanted }) => (wanted === undefined ? EXHAUSTED : BEYOND_LIMIT),
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
  setup_failed: {
    approve: 'devflow sets the worktree up again.',
    request_changes: null,
    reject: 'The run goes on in this worktree as it is, without its set-up.',
  },
} as const satisfies Readonly<Record<string, OwnGateRule>>;

/** Gates of one kind of phase. A missing kind does not compile. */
const OF_KIND = {
  agent: {},
  command: {},
  direct: {},
  evaluate: {},
  lanes: LANES_GATES,
  review: REVIEW_GATES,
  step: STEP_GATES,
} as const satisfies { readonly [K in PhaseKind]: Readonly<Record<string, OwnGateRule>> };

type GateOfKind = { [K in keyof typeof OF_KIND]: keyof (typeof OF_KIND)[K] }[keyof typeof OF_KIND];

/** The gates that devflow opens itself, besides those of failures. */
export type OwnGate = keyof typeof COMMON | GateOfKind;

const OWN_GATES: Readonly<Record<OwnGate, OwnGateRule>> = Object.assign({ ...COMMON }, ...Object.values(OF_KIND));

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

interface Gate {
  gateKey: string;
  kind: GateKind;
  laneId: string | null;
  assignment: string | null;
  subject?: Readonly<Record<string, unknown>>;
}

/**
 * The consequences of decisions at devflow's own gates and at gates of an assignment. Undefined for other gates, where
 * the decisions' names say them.
 */
export function consequencesOf({ gateKey, kind, laneId, assignment, subject = {} }: Gate): Consequences | undefined {
  if (holdsFailure({ kind }) && !isOwnGate(gateKey)) {
    if (assignment !== null) return RETRY;
    return laneId === null ? undefined : retryOfLane(laneId);
  }
  if (!isOwnGate(gateKey)) return undefined;
  const rule = OWN_GATES[gateKey];
  return typeof rule === 'function' ? rule(subject) : rule;
}

/** True if a person may ask for changes without saying which. */
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
