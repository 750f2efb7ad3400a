import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Phase } from './state.ts';

/** Begins a phase once more, because a person wants it. */
export function restartPhase(
  phase: Phase,
  cause: 'retry' | 'changes_requested',
  changeRequest: string | null,
): NewEvent {
  const payload = { attempt: phase.attempts + 1, cause, ...(changeRequest ? { changeRequest } : {}) };
  return { type: 'phase.started', phaseId: phase.id, payload };
}
