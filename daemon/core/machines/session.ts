import type { SessionState } from '../../../schemas/enums.ts';
import { type Step, steps } from './machine.ts';

const row = (from: SessionState, trigger: string, to: SessionState): Step<SessionState> => ({
  from,
  trigger,
  to,
});

/**
 * The states of a session. An agent that asks a person has all steps of a working agent. devflow may see the answer late, or
 * never. The only way out of FAILED_NEEDS_HUMAN is a retry at the recovery gate.
 */
export const SESSION_STEPS: readonly Step<SessionState>[] = [
  row('CREATED', 'start', 'BOOTSTRAPPING'),
  row('BOOTSTRAPPING', 'ready', 'READY'),
  row('READY', 'prompt', 'BUSY'),
  row('BUSY', 'idle', 'READY'),
  row('BUSY', 'no artifact in time', 'ARTIFACT_TIMEOUT'),
  row('BUSY', 'died', 'CRASHED'),
  row('BUSY', 'asks', 'WAITING_FOR_APPROVAL'),
  row('BUSY', 'hung', 'HUNG'),
  row('WAITING_FOR_APPROVAL', 'answered', 'BUSY'),
  row('WAITING_FOR_APPROVAL', 'idle', 'READY'),
  row('WAITING_FOR_APPROVAL', 'died', 'CRASHED'),
  row('WAITING_FOR_APPROVAL', 'hung', 'HUNG'),
  row('CRASHED', 'recover', 'RESUMING'),
  row('ARTIFACT_TIMEOUT', 'recover', 'RESUMING'),
  row('HUNG', 'recover', 'RESUMING'),
  row('RESUMING', 'resumed', 'READY'),
  row('RESUMING', 'resume failed', 'REBOOTSTRAPPED'),
  row('REBOOTSTRAPPED', 'ready', 'READY'),
  row('BOOTSTRAPPING', 'start failed', 'CRASHED'),
  row('READY', 'died while idle', 'CRASHED'),
  row('ARTIFACT_TIMEOUT', 'resume failed', 'CRASHED'),
  row('HUNG', 'resume failed', 'CRASHED'),
  row('CRASHED', 'resume failed again', 'CRASHED'),
  row('FAILED_NEEDS_HUMAN', 'rebootstrap failed', 'CRASHED'),
  row('CRASHED', 'exhausted', 'FAILED_NEEDS_HUMAN'),
  row('ARTIFACT_TIMEOUT', 'exhausted', 'FAILED_NEEDS_HUMAN'),
  row('HUNG', 'exhausted', 'FAILED_NEEDS_HUMAN'),
  row('FAILED_NEEDS_HUMAN', 'retry at the recovery gate', 'RESUMING'),
];

/** The session state after the given steps, or `internal_state_corruption`. */
export function stepsSession(from: SessionState, ...path: SessionState[]): SessionState {
  return steps('session', SESSION_STEPS, from, ...path);
}

/** After so many tries of each way of recovery devflow asks a person. */
export const RESUME_BUDGET = 2;
export const REBOOTSTRAP_BUDGET = 1;
export const REPAIR_BUDGET = 1;
/** A template has many rules, and each answer shows the author only the faults that are left. */
export const DRAFT_REPAIR_BUDGET = 3;
export const SEND_BUDGET = 2;
