import { FLOW_NAMES, type FlowName, isFlowName } from '../../schemas/contracts/autodev/pointer.ts';
import { usage } from '../input/parse.ts';
import { type Actions, command } from './command.ts';
import { REPO } from './contract.ts';
import { argument, flag, number, oneOf, parsed, text } from './entry.ts';

/** The pointer to the current step of a flow: `_docs/_autodev_state.md`. */
export const AUTODEV = {
  show: command('autodev.show', 'check the pointer and list the steps of its flow', REPO),
  detect: command('autodev.detect', 'say which step the folders show, whatever the pointer says', {
    ...REPO,
    flow: oneOf(text('<flow>', 'the flow (default: chosen by the repository)'), FLOW_NAMES),
    cycle: number('<number>', 'the feature cycle (default: the highest one that has a report)'),
  }),
  reconcile: command('autodev.reconcile', 'say where the work goes on, by pointer and folders', {
    ...REPO,
    apply: flag('write the pointer if the folders contradict it'),
  }),
  record: command('autodev.record', 'record started, sub-step, completed, skipped or retry-failed', {
    event: argument('<event>'),
    ...REPO,
    decided: flag('with started: you decided to go on after three failed retries'),
    phase: number('<number>', 'with sub-step: the phase'),
    name: text('<name>', 'with sub-step: the name of the phase'),
    detail: text('<text>', 'with sub-step: a note'),
  }),
  flows: command('autodev.flows', 'show the steps, boundaries and rules of the flows', {
    flow: parsed(argument('[flow]'), flowName),
    ...REPO,
  }),
};
export type Autodev = Actions<typeof AUTODEV>;

function flowName(_: string, given: string): FlowName {
  if (isFlowName(given)) return given;
  throw usage(`${given} is no flow; it is one of ${FLOW_NAMES.join(', ')}`);
}
