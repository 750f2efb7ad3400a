import { evaluationEffects, measuringCommand } from '../objective/effects.ts';
import { handleEvaluation } from '../objective/outcomes.ts';
import { deriveEvaluation } from '../objective/steps.ts';
import type { PhaseKind } from './phaseKind.ts';

/**
 * devflow measures the work with the command of the objective and judges it. What is not kept is undone before the phase
 * ends, so the next phase finds the best state.
 */
export const evaluatePhase: PhaseKind = {
  begin: () => ({ assignments: [] }),
  isEmpty: () => false,
  isAtGate: () => false,
  derive: deriveEvaluation,
  effects: evaluationEffects,
  commandExtras: measuringCommand,
  request: () => ({ instructions: '', file: '', schema: '' }),
  producer: (_, phase) => phase,
  handle: handleEvaluation,
  decided: () => [],
};
