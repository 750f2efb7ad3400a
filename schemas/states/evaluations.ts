import type { State } from './state.ts';

type EvaluationState = 'base' | 'running' | 'void' | 'failed' | 'met' | 'kept' | 'undone';

/** The states of an iteration of a loop that is judged by measurements. */
export const EVALUATION_STATES: Readonly<Record<EvaluationState, State>> = {
  base: { sign: '·', word: 'base', look: 'quiet', means: 'the state before the first change', asks: null },
  running: { sign: '●', word: 'running', look: 'busy', means: 'it is measured now', asks: null },
  void: { sign: '!', word: 'void', look: 'bad', means: 'something was changed that must not be', asks: null },
  failed: { sign: '✗', word: 'failed', look: 'bad', means: 'it could not be measured', asks: null },
  met: { sign: '✓', word: 'met', look: 'good', means: 'it meets the objective', asks: null },
  kept: { sign: '+', word: 'kept', look: 'good', means: 'later iterations build on it', asks: null },
  undone: { sign: '–', word: 'undone', look: 'quiet', means: 'it is not better than chance', asks: null },
};

interface Judged {
  iteration: number;
  status: 'running' | 'valid' | 'invalid' | 'tampered';
  isKept: boolean;
  isMet: boolean;
}

export function evaluationState({ iteration, status, isKept, isMet }: Judged): State {
  if (status === 'running') return EVALUATION_STATES.running;
  if (status === 'tampered') return EVALUATION_STATES.void;
  if (status === 'invalid') return EVALUATION_STATES.failed;
  if (isMet) return EVALUATION_STATES.met;
  if (!isKept) return EVALUATION_STATES.undone;
  return iteration === 0 ? EVALUATION_STATES.base : EVALUATION_STATES.kept;
}

/** The states of a target, compared with a measurement. */
export const VERDICT_STATES: Readonly<Record<'met' | 'missed' | 'unknown', State>> = {
  met: { sign: '✓', word: 'met', look: 'good', means: 'the value reaches the target', asks: null },
  missed: { sign: '✗', word: 'missed', look: 'bad', means: 'the value does not reach the target', asks: null },
  unknown: { sign: '?', word: 'unknown', look: 'ask', means: 'there is no value, or it cannot decide', asks: null },
};
