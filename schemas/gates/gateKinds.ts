import type { ApprovalDecisionAction, GateKind } from '../enums.ts';

export interface GateFacts {
  /** The key of its gates, which templates cannot use; null if the template or an `OwnGate` names them. */
  gateKey: string | null;
  /** The thing that waits while it is open: finished work, or a failure that devflow cannot resolve alone. */
  holds: 'result' | 'failure' | 'nothing';
  /** False if a person answers in the pane, and the run goes on meanwhile. */
  blocksRun: boolean;
  /** The possible decisions. One of devflow's own gates can take less: `consequencesOf`. */
  takes: readonly ApprovalDecisionAction[];
  /** True if it closes when the agent continues. */
  closesItself: boolean;
  /** True if the last output of an agent explains it. */
  showsAgent: boolean;
  /** The field of its subject with what an agent said; null if no agent said anything. */
  said: 'words' | 'detail' | null;
}

const ALL = ['approve', 'reject', 'request_changes', 'abort'] as const;

/** The facts that follow from the kind of a gate. Its words are in `gateWords.ts`. */
export const GATE_FACTS = {
  gate: {
    gateKey: null,
    holds: 'result',
    blocksRun: true,
    takes: ALL,
    closesItself: false,
    showsAgent: false,
    said: null,
  },
  recovery: {
    gateKey: 'recovery',
    holds: 'failure',
    blocksRun: true,
    takes: ALL,
    closesItself: false,
    showsAgent: true,
    said: null,
  },
  cleanup: {
    gateKey: 'cleanup_forced',
    holds: 'nothing',
    blocksRun: true,
    takes: ['approve', 'reject'],
    closesItself: false,
    showsAgent: false,
    said: null,
  },
  agent: {
    gateKey: 'agent_asks',
    holds: 'nothing',
    blocksRun: false,
    takes: ['reject', 'abort'],
    closesItself: true,
    showsAgent: true,
    said: 'detail',
  },
  turn: {
    gateKey: null,
    holds: 'nothing',
    blocksRun: true,
    takes: ALL,
    closesItself: true,
    showsAgent: true,
    said: 'words',
  },
} as const satisfies Readonly<Record<GateKind, GateFacts>>;

/** A kind that only a newer daemon knows. */
const UNKNOWN: GateFacts = {
  gateKey: null,
  holds: 'nothing',
  blocksRun: true,
  takes: ALL,
  closesItself: false,
  showsAgent: false,
  said: 'words',
};

/** The kinds of gates that close when an agent goes on. */
export type SelfClosing = {
  [K in GateKind]: (typeof GATE_FACTS)[K]['closesItself'] extends true ? K : never;
}[GateKind];

interface OfKind {
  kind: GateKind;
}

export function gateFacts({ kind }: OfKind): GateFacts {
  return Object.hasOwn(GATE_FACTS, kind) ? GATE_FACTS[kind] : UNKNOWN;
}

/** True if the gate blocks its run. Agent gates do not: a person answers them in the pane. */
export function blocksRun(gate: OfKind): boolean {
  return gateFacts(gate).blocksRun;
}

/** True if finished work waits for a person, as planned. */
export function holdsResult(gate: OfKind): boolean {
  return gateFacts(gate).holds === 'result';
}

/** True if devflow cannot continue alone. */
export function holdsFailure(gate: OfKind): boolean {
  return gateFacts(gate).holds === 'failure';
}

/** True if an agent waits for a text, which the gate delivers to its conversation. */
export function takesMessage(gate: OfKind): boolean {
  const { blocksRun: isWaiting, closesItself } = gateFacts(gate);
  return isWaiting && closesItself;
}
