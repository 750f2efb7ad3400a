import { DevflowError, type ErrorCode } from '../../errors.ts';
import { FLOWS } from './flows.ts';
import { type Boundary, boundaryAfter, nextStep } from './nextStep.ts';
import { AWAITING, awaitingInvocation, MOST_RETRIES, type Pointer, type Status } from './pointer.ts';
import type { RecordEvent } from './recordEvent.ts';

export interface Recorded {
  pointer: Pointer;
  /** The step that was left; null if it is still the current one. */
  left: { step: number; name: string; status: 'completed' | 'skipped' } | null;
  /** Set if the session ends here. */
  boundary: Boundary | null;
  /** True if the next step begins at once. */
  autoChain: boolean;
}

/** The pointer after an event. Throws if the event cannot happen where the pointer stands. */
export function recordEvent(pointer: Pointer, event: RecordEvent): Recorded {
  if (pointer.step === 'done') throw refuse('autodev_done', pointer, 'The flow is done; nothing can be recorded.');
  switch (event.type) {
    case 'started':
      return stay(start(pointer, event.decided));
    case 'sub-step':
      return stay(savePoint(pointer, event));
    case 'completed':
      if (pointer.status !== 'in_progress') throw wrongStatus(pointer, 'completed');
      return leave(pointer, pointer.step, 'completed');
    case 'skipped':
      return skip(pointer, pointer.step);
    case 'retry-failed':
      return stay(countRetry(pointer));
    default:
      return event satisfies never;
  }
}

function start(pointer: Pointer, decided: boolean): Pointer {
  if (pointer.status === 'in_progress') throw wrongStatus(pointer, 'started');
  if (pointer.status !== 'failed') {
    return { ...pointer, status: 'in_progress', sub_step: awaitingInvocation(), retry_count: 0 };
  }
  // The skill resumes at its phase.
  if (pointer.retry_count < MOST_RETRIES) return { ...pointer, status: 'in_progress' };
  if (!decided) throw needsUser(pointer);
  return { ...pointer, status: 'in_progress', retry_count: 0 };
}

function savePoint(pointer: Pointer, { phase, name, detail }: Extract<RecordEvent, { type: 'sub-step' }>): Pointer {
  if (pointer.status !== 'in_progress') throw wrongStatus(pointer, 'sub-step');
  if (name === AWAITING && phase !== 0) {
    throw refuse('autodev_substep_reserved', pointer, `Phase ${phase} cannot be ${AWAITING}: only phase 0 is.`);
  }
  const { sub_step: now } = pointer;
  const isSame = phase === now.phase && (name === now.name || phase === 0);
  if (!isSame && phase !== now.phase + 1) {
    const message = `The step is at phase ${now.phase} (${now.name}); it cannot go to phase ${phase} (${name}).`;
    throw refuse('autodev_substep_not_monotonic', pointer, message);
  }
  return { ...pointer, sub_step: { phase, name, detail }, retry_count: 0 };
}

function skip(pointer: Pointer, step: number): Recorded {
  if (!FLOWS[pointer.flow].optional.includes(step)) {
    throw refuse('autodev_step_not_optional', pointer, `Step ${step} (${pointer.name}) cannot be skipped.`);
  }
  if (needsDecision(pointer)) throw needsUser(pointer);
  if (pointer.status === 'completed' || pointer.status === 'skipped') throw wrongStatus(pointer, 'skipped');
  return leave(pointer, step, 'skipped');
}

function countRetry(pointer: Pointer): Pointer {
  if (needsDecision(pointer)) throw needsUser(pointer);
  if (pointer.status !== 'in_progress' && pointer.status !== 'failed') throw wrongStatus(pointer, 'retry-failed');
  const retries = pointer.retry_count + 1;
  return { ...pointer, status: retries >= MOST_RETRIES ? 'failed' : pointer.status, retry_count: retries };
}

/** True if the step failed so often that it is not retried without a person. */
export function needsDecision({ status, retry_count: retries }: Pick<Pointer, 'status' | 'retry_count'>): boolean {
  return status === 'failed' && retries >= MOST_RETRIES;
}

function stay(pointer: Pointer): Recorded {
  return { pointer, left: null, boundary: null, autoChain: false };
}

function leave(pointer: Pointer, step: number, status: 'completed' | 'skipped'): Recorded {
  const next = nextStep(pointer);
  const boundary = boundaryAfter(pointer);
  return {
    pointer: next,
    left: { step, name: pointer.name, status },
    boundary,
    autoChain: boundary === null && next.step !== 'done',
  };
}

function wrongStatus(pointer: Pointer, event: RecordEvent['type']): DevflowError {
  const { step, name, status } = pointer;
  return refuse('autodev_transition', pointer, `Step ${step} (${name}) is ${WORDS[status]}: ${event} cannot happen.`);
}

const WORDS: Readonly<Record<Status, string>> = {
  not_started: 'not started',
  in_progress: 'in progress',
  completed: 'completed',
  skipped: 'skipped',
  failed: 'failed',
};

function needsUser(pointer: Pointer): DevflowError {
  const { step, name, retry_count: retries } = pointer;
  return refuse('autodev_needs_user', pointer, `Step ${step} (${name}) failed after ${retries} retries.`);
}

function refuse(code: ErrorCode, { flow, step, status }: Pointer, message: string): DevflowError {
  return new DevflowError(code, message, { data: { flow, step, status } });
}
