import { stepName } from '../../../schemas/contracts/autodev/flows.ts';
import { nextStep } from '../../../schemas/contracts/autodev/nextStep.ts';
import {
  awaitingInvocation,
  MOST_RETRIES,
  POINTER_FILE,
  type Pointer,
} from '../../../schemas/contracts/autodev/pointer.ts';
import { recordEvent } from '../../../schemas/contracts/autodev/record.ts';
import type { RecordEvent } from '../../../schemas/contracts/autodev/recordEvent.ts';
import { renderPointer } from '../../../schemas/contracts/autodev/renderPointer.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { holdsFailure } from '../../../schemas/gates/gateKinds.ts';
import { HOST_GATE } from '../../../schemas/gates/ownGates.ts';
import { pointsPastBoundary } from '../run/behaviour.ts';
import { BOUNDARY } from '../run/boundary.ts';
import type { ExchangeState } from '../run/exchangeState.ts';
import type { Run } from '../run/state.ts';

/** The pointer of a flow: the n-th phase of the template is its n-th step. */
export function autodevFiles(before: ExchangeState, run: Run, event: RunEvent): ExchangeState {
  const first = before.pointer ?? atStep(run, 1);
  const pointer = first && pointerAfter(first, run, event);
  if (!pointer || pointer === before.pointer) return before;
  return { pointer, files: { [POINTER_FILE]: renderPointer(pointer) } };
}

/** The pointer after an event. Where its rules have no step for the event, it points to where the run is. */
function pointerAfter(pointer: Pointer, run: Run, event: RunEvent): Pointer {
  const step = stepOf(run, event.phaseId);
  switch (event.type) {
    case 'phase.started': {
      if (pointer.step === step && pointer.status === 'in_progress') return pointer;
      const there = pointer.step === step ? pointer : (atStep(run, step) ?? pointer);
      return recorded(there, { type: 'started', decided: true }) ?? { ...there, status: 'in_progress' };
    }
    case 'phase.progressed': {
      const { number: phase, name, detail } = event.payload;
      return recorded(pointer, { type: 'sub-step', phase, name, detail }) ?? pointer;
    }
    case 'phase.completed':
    case 'phase.skipped':
      return leave(pointer, run, step);
    case 'artifact.invalid':
    case 'artifact.timeout':
    case 'session.crashed':
      return recorded(pointer, { type: 'retry-failed' }) ?? pointer;
    case 'approval.requested': {
      const { gateKey } = event.payload;
      if (gateKey === BOUNDARY && pointsPastBoundary(run)) return leave(pointer, run, step);
      if (!holdsFailure(event.payload) || gateKey === HOST_GATE) return pointer;
      // A person decides. In older runs the count of retries said so.
      return { ...pointer, status: 'failed', ...(pointsPastBoundary(run) ? {} : { retry_count: MOST_RETRIES }) };
    }
    case 'approval.resolved': {
      const isRetry =
        pointer.status === 'failed' && event.payload.action !== 'abort' && event.payload.action !== 'reject';
      if (!isRetry) return pointer;
      const begun = recorded(pointer, { type: 'started', decided: true }) ?? pointer;
      return pointsPastBoundary(run) ? { ...begun, retry_count: 0 } : begun;
    }
    default:
      return pointer;
  }
}

function leave(pointer: Pointer, run: Run, step: number): Pointer {
  return nextStep(pointer.step === step ? pointer : (atStep(run, step) ?? pointer));
}

/** The pointer after what its rules allow; undefined if they do not. */
function recorded(pointer: Pointer, event: RecordEvent): Pointer | undefined {
  try {
    return recordEvent(pointer, event).pointer;
  } catch (error) {
    if (error instanceof DevflowError) return undefined;
    throw error;
  }
}

/** The step of a phase; 0 for an event of no phase. */
function stepOf({ phases }: Run, phaseId: string | null): number {
  return phases.findIndex(({ id }) => id === phaseId) + 1;
}

function atStep({ template: { flow }, cycle }: Run, step: number): Pointer | undefined {
  const name = flow && stepName(flow, step);
  if (!flow || name === undefined) return undefined;
  return { flow, step, name, status: 'not_started', sub_step: awaitingInvocation(), retry_count: 0, cycle };
}
