import type { RunPhaseState } from '../../../../schemas/enums.ts';
import { step, type Transition } from './machine.ts';

const row = (from: RunPhaseState, trigger: string, to: RunPhaseState, source = '13.2'): Transition<RunPhaseState> => ({
  from,
  trigger,
  to,
  source,
});

/**
 * Plan 13.2. The rows below the first block come from other sections: a command phase has no artifact (A14), a person
 * may open a failed phase again at the recovery gate (10.3, 18), changes asked for at a later gate open the phase that
 * produced the work (product.md), and a run that ends takes its open phase with it (13.1).
 */
export const PHASE_TRANSITIONS: readonly Transition<RunPhaseState>[] = [
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

  row('pending', 'nothing to do', 'skipped', 'A14'),
  row('running', 'commands done, gate', 'awaiting_approval', 'A14'),
  row('running', 'commands done', 'completed', 'A14'),
  row('running', 'exhausted, or the run ended', 'failed', '8.3, 13.1'),
  row('failed', 'retry at the recovery gate', 'running', '10.3, 18'),
  row('completed', 'changes requested at a later gate', 'running', 'product.md'),
  row('awaiting_approval', 'the work under decision is made anew', 'pending', 'product.md'),
  row('completed', 'the work it followed is made anew', 'pending', 'product.md'),
  row('failed', 'the work it checked is made anew', 'pending', 'product.md'),
];

/** The next phase state, or `internal_state_corruption`. */
export function stepPhase(from: RunPhaseState, to: RunPhaseState): RunPhaseState {
  return step('phase', PHASE_TRANSITIONS, from, to);
}
