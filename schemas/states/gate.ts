import type { ApprovalState, GateKind } from '../enums.ts';
import { gateFacts } from '../gates/gateKinds.ts';
import { type State, stateOf } from './state.ts';

export const GATE_STATES: Readonly<Record<ApprovalState, State>> = {
  pending: {
    sign: '?',
    word: 'decision',
    look: 'ask',
    means: 'the run waits here for your decision',
    asks: 'Approve it (`a`), request changes (`c`) or reject it (`R`); or see `devflow approval show`.',
  },
  approved: { sign: '✓', word: 'approved', look: 'good', means: 'you approved it', asks: null },
  rejected: { sign: '✗', word: 'rejected', look: 'bad', means: 'you rejected it, and the run ended', asks: null },
  changes_requested: {
    sign: '→',
    word: 'changes asked',
    look: 'ask',
    means: 'you sent the work back with a comment',
    asks: null,
  },
  aborted: { sign: '✗', word: 'aborted', look: 'quiet', means: 'its run ended before you decided', asks: null },
  paused: {
    sign: '○',
    word: 'timed out',
    look: 'ask',
    means: 'nobody decided in time; the run is paused',
    asks: 'Resume the run (`r`, or `devflow run resume`), then decide the gate.',
  },
};

/** devflow itself asks, because it cannot continue alone. */
export const GATE_RECOVERY: State = {
  sign: '!',
  word: 'decision',
  look: 'bad',
  means: 'devflow cannot continue alone, and says why',
  asks: 'Read why, then approve to try again, request changes with a hint, or reject; `devflow approval show`.',
};

/** A question of an agent. A person answers it in the pane, not at the gate. */
export const GATE_IN_PANE: State = {
  sign: '?',
  word: 'asks',
  look: 'ask',
  means: 'an agent asks something in its pane',
  asks: 'Answer it there: `A` in the dashboard, or `devflow attach`.',
};

export const GATE_CLOSED: State = {
  sign: '–',
  word: 'closed',
  look: 'quiet',
  means: 'the agent no longer asks this',
  asks: null,
};

interface Gate {
  kind: GateKind;
  state: ApprovalState;
  decisions?: readonly unknown[];
}

export const PENDING_STATES: Readonly<Record<GateKind, State>> = {
  gate: GATE_STATES.pending,
  recovery: GATE_RECOVERY,
  cleanup: GATE_STATES.pending,
  agent: GATE_IN_PANE,
  turn: GATE_STATES.pending,
};

/** The state of a gate as people see it. A decision at an agent's gate always ends its run. */
export function gateState({ kind, state, decisions = [] }: Gate): State {
  if (state === 'pending' && Object.hasOwn(PENDING_STATES, kind)) return PENDING_STATES[kind];
  if (gateFacts({ kind }).closesItself && state === 'aborted' && decisions.length === 0) return GATE_CLOSED;
  return stateOf(GATE_STATES, state);
}

/** The consequences of rejecting and aborting, for the question that devflow asks first. */
export const REJECT_DETAIL = 'The run ends as failed. Its branch, its worktree and everything written stay.';
export const ABORT_DETAIL = 'Its agents are ended. Worktrees, branches and everything written stay.';
