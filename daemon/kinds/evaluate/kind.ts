import type { KindRules } from '../../core/phases/kindRules.ts';
import { evaluationEffects, measuringCommand } from './effects.ts';
import { evaluateFolds } from './evolve.ts';
import { evaluationOutcomes } from './outcomes.ts';
import { evaluationRehearsal } from './rehearsal.ts';
import { deriveEvaluation } from './steps.ts';

/**
 * devflow measures the work with the command of the objective and judges it. Rejected work is undone before the phase ends,
 * so the next phase finds the best state.
 */
export const evaluateRules: KindRules<'evaluate'> = {
  begin: () => ({ assignments: [] }),
  isEmpty: () => false,
  isAtGate: () => false,
  derive: deriveEvaluation,
  effects: evaluationEffects,
  // Measurements have a place of their own.
  worksIn: () => [],
  commandExtras: measuringCommand,
  request: () => ({ instructions: '', file: '', schema: '' }),
  outcomes: evaluationOutcomes,
  folds: evaluateFolds,
  rehearsal: evaluationRehearsal,
  decided: () => [],
};
