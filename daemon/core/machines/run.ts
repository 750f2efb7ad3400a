import { isTerminal, RunState } from '../../../schemas/enums.ts';
import { type Step, step } from './machine.ts';

const row = (from: RunState, trigger: string, to: RunState): Step<RunState> => ({ from, trigger, to });

const nonTerminal = RunState.options.filter((state) => !isTerminal(state));

/**
 * The states of a run. It is `planning` until its phase plan is approved. It pauses when a person is needed, and fails on a
 * fatal error.
 */
export const RUN_STEPS: readonly Step<RunState>[] = [
  row('created', 'lockBindings ok', 'bound'),
  row('created', 'lockBindings fail', 'failed'),
  row('bound', 'phase plan needed', 'planning'),
  row('bound', 'no phase plan in the template', 'executing'),
  row('planning', 'artifact valid, gate', 'awaiting_approval'),
  row('awaiting_approval', 'approve', 'executing'),
  row('awaiting_approval', 'approve before the phase plan', 'planning'),
  row('awaiting_approval', 'reject', 'failed'),
  row('awaiting_approval', 'request_changes', 'planning'),
  row('awaiting_approval', 'request_changes after the phase plan', 'executing'),
  row('awaiting_approval', 'timeout', 'paused'),
  row('executing', 'phase needs gate', 'awaiting_approval'),
  row('executing', 'all phases done', 'completed'),
  row('executing', 'unrecoverable error', 'failed'),
  row('planning', 'the phase plan is approved', 'executing'),
  row('executing', 'the phase plan is written again', 'planning'),
  row('executing', 'pauseRun', 'paused'),
  row('planning', 'pauseRun', 'paused'),
  row('planning', 'fatal error', 'failed'),
  row('paused', 'resume', 'planning'),
  row('paused', 'resume', 'executing'),
  row('paused', 'resume', 'awaiting_approval'),
  row('paused', 'reject at a recovery gate', 'failed'),
  ...nonTerminal.map((from) => row(from, 'abortRun', 'aborted')),
];

/** The next run state, or `internal_state_corruption`. */
export function stepRun(from: RunState, to: RunState): RunState {
  return step('run', RUN_STEPS, from, to);
}
