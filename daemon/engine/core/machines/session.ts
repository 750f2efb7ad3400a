import type { SessionState } from '../../../../schemas/enums.ts';
import { steps, type Transition } from './machine.ts';

const row = (from: SessionState, trigger: string, to: SessionState, source = '8.2'): Transition<SessionState> => ({
  from,
  trigger,
  to,
  source,
});

/**
 * Plan 8.2, with counters of 8.3, as far as the log tells it: no event of the closed list says WAITING_FOR_APPROVAL or
 * HUNG, which are read off the screen and shown as they are seen; to the run a hung agent is one that brought nothing
 * in time, or died. A person's retry at the recovery gate is the one way out of FAILED_NEEDS_HUMAN.
 */
export const SESSION_TRANSITIONS: readonly Transition<SessionState>[] = [
  row('CREATED', 'start', 'BOOTSTRAPPING'),
  row('BOOTSTRAPPING', 'ready', 'READY'),
  row('READY', 'prompt', 'BUSY'),
  row('BUSY', 'idle', 'READY'),
  row('BUSY', 'no artifact in time', 'ARTIFACT_TIMEOUT'),
  row('BUSY', 'died', 'CRASHED'),
  row('CRASHED', 'recover', 'RESUMING'),
  row('ARTIFACT_TIMEOUT', 'recover', 'RESUMING'),
  row('RESUMING', 'resumed', 'READY'),
  row('RESUMING', 'resume failed', 'REBOOTSTRAPPED'),
  row('REBOOTSTRAPPED', 'ready', 'READY'),
  row('BOOTSTRAPPING', 'start failed', 'CRASHED', '8.3'),
  row('READY', 'died while idle', 'CRASHED', '8.3'),
  row('ARTIFACT_TIMEOUT', 'resume failed', 'CRASHED', '8.3'),
  row('CRASHED', 'resume failed again', 'CRASHED', '8.3'),
  row('FAILED_NEEDS_HUMAN', 'rebootstrap failed', 'CRASHED', '18'),
  row('CRASHED', 'exhausted', 'FAILED_NEEDS_HUMAN'),
  row('ARTIFACT_TIMEOUT', 'exhausted', 'FAILED_NEEDS_HUMAN'),
  row('FAILED_NEEDS_HUMAN', 'retry at the recovery gate', 'RESUMING', '18'),
];

/** The session state after the given steps, or `internal_state_corruption`. */
export function stepsSession(from: SessionState, ...path: SessionState[]): SessionState {
  return steps('session', SESSION_TRANSITIONS, from, ...path);
}

/** Plan 8.3: how often each way of recovery is tried before a person is asked. */
export const RESUME_BUDGET = 2;
export const REBOOTSTRAP_BUDGET = 1;
export const REPAIR_BUDGET = 1;
