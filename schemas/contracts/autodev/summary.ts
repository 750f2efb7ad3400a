import { shorten } from '../../text/phrases.ts';
import { FLOWS, ordinalOf, stepName } from './flows.ts';
import { isFlowName, MOST_RETRIES, type ReadPointer } from './pointer.ts';

/** A line of the list of steps. */
export interface StepState {
  step: number;
  name: string;
  state: string;
}

/** All steps of the flow with their state. Empty if flow or step cannot be read. */
export function summarize(pointer: ReadPointer | null): StepState[] {
  if (!pointer || pointer.flow === null || !isFlowName(pointer.flow)) return [];
  const { flow, step } = pointer;
  const isStep = step === 'done' || (typeof step === 'number' && stepName(flow, step) !== undefined);
  if (!isStep) return [];
  const current = ordinalOf(flow, step as number | 'done');
  return FLOWS[flow].steps.map((name, index) => {
    const at = index + 1;
    const state = at < current ? 'DONE' : at > current ? 'NOT STARTED' : stateOf(pointer);
    return { step: at, name, state };
  });
}

function stateOf({ status, sub_step: subStep, retry_count: retries }: ReadPointer): string {
  switch (status) {
    case 'completed':
      return 'DONE';
    case 'in_progress':
      return subStep ? `IN PROGRESS (${shorten(`${subStep.phase ?? '?'} ${subStep.name ?? '?'}`)})` : 'IN PROGRESS';
    case 'failed':
      return `FAILED (retry ${shorten(String(retries ?? '?'))}/${MOST_RETRIES})`;
    case 'skipped':
      return 'SKIPPED';
    default:
      return 'NOT STARTED';
  }
}
