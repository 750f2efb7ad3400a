import type { RunPhaseState } from '../../../schemas/enums.ts';
import { type Step, step } from './machine.ts';

const row = (from: RunPhaseState, trigger: string, to: RunPhaseState): Step<RunPhaseState> => ({
  from,
  trigger,
  to,
});

/**
 * The states of a phase. First those of agent phases, then those of command phases, which have no artifact. Then the ways back.
 * A person retries a failed phase at the recovery gate. A later gate can ask for changes of an earlier phase's work.
 */
export const PHASE_STEPS: readonly Step<RunPhaseState>[] = [
  row('pending', 'start', 'running'),
  row('running', 'prompt sent, artifact expected', 'awaiting_artifact'),
  row('awaiting_artifact', 'artifact appears', 'validating'),
  row('awaiting_artifact', 'timeout', 'running'),
  row('awaiting_artifact', 'timeout, exhausted', 'failed'),
  row('validating', 'valid, gate', 'awaiting_approval'),
  row('validating', 'valid', 'completed'),
  row('validating', 'invalid, one repair', 'running'),
  row('validating', 'invalid, exhausted', 'failed'),
  row('awaiting_approval', 'approve', 'completed'),
  row('awaiting_approval', 'reject or abort', 'failed'),
  row('awaiting_approval', 'request_changes', 'running'),

  row('pending', 'nothing to do', 'skipped'),
  row('running', 'commands done, gate', 'awaiting_approval'),
  row('running', 'commands done', 'completed'),
  row('running', 'exhausted, or the run ended', 'failed'),
  row('failed', 'retry at the recovery gate', 'running'),
  row('failed', 'retry that keeps all artifacts', 'validating'),
  row('completed', 'changes requested at a later gate', 'running'),
  row('awaiting_approval', 'the work under decision is redone', 'pending'),
  row('completed', 'the work before it is redone', 'pending'),
  row('failed', 'the work it checked is redone', 'pending'),
  row('running', 'the plan that it carries out is redone', 'pending'),
  row('skipped', 'its iteration begins again', 'pending'),
];

/** The next phase state, or `internal_state_corruption`. */
export function stepPhase(from: RunPhaseState, to: RunPhaseState): RunPhaseState {
  return step('phase', PHASE_STEPS, from, to);
}
