import { isTerminal, RunState } from '../../../../schemas/enums.ts';
import { step, type Transition } from './machine.ts';

const row = (from: RunState, trigger: string, to: RunState, source = '13.1'): Transition<RunState> => ({
  from,
  trigger,
  to,
  source,
});

const nonTerminal = RunState.options.filter((state) => !isTerminal(state));

/**
 * Plan 13.1. Rows that other sections ask for name them: section 18 pauses a run behind a gate when a person is needed
 * and fails it on a fatal error; product.md keeps a run `planning` until its phase plan is approved.
 */
export const RUN_TRANSITIONS: readonly Transition<RunState>[] = [
  row('created', 'lockBindings ok', 'bound'),
  row('created', 'lockBindings fail', 'failed'),
  row('bound', 'phase plan needed', 'planning'),
  row('bound', 'no phase plan in the template', 'executing', 'product.md'),
  row('planning', 'artifact valid, gate', 'awaiting_approval'),
  row('awaiting_approval', 'approve', 'executing'),
  row('awaiting_approval', 'approve before the phase plan', 'planning', 'product.md'),
  row('awaiting_approval', 'reject', 'failed'),
  row('awaiting_approval', 'request_changes', 'planning'),
  row('awaiting_approval', 'request_changes after the phase plan', 'executing', 'product.md'),
  row('awaiting_approval', 'timeout', 'paused'),
  row('executing', 'phase needs gate', 'awaiting_approval'),
  row('executing', 'all phases done', 'completed'),
  row('executing', 'unrecoverable error', 'failed'),
  row('executing', 'pauseRun', 'paused'),
  row('planning', 'pauseRun', 'paused'),
  row('planning', 'fatal error', 'failed', '18'),
  row('paused', 'resume', 'planning'),
  row('paused', 'resume', 'executing'),
  row('paused', 'resume', 'awaiting_approval'),
  row('paused', 'reject at a recovery gate', 'failed', '18'),
  ...nonTerminal.map((from) => row(from, 'abortRun', 'aborted')),
];

/** The next run state, or `internal_state_corruption`. */
export function stepRun(from: RunState, to: RunState): RunState {
  return step('run', RUN_TRANSITIONS, from, to);
}
