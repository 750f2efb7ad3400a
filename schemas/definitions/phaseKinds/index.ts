import type { PhaseKind } from '../../enums.ts';
import { agentKind } from './agent.ts';
import { commandKind } from './command.ts';
import { evaluateKind } from './evaluate.ts';
import { lanesKind } from './lanes.ts';
import type { KindRule } from './phaseKind.ts';
import { reviewKind } from './review.ts';
import { stepKind } from './step.ts';

/** The rules of all kinds of phases; a missing one does not compile. */
export const KIND_RULES: { readonly [K in PhaseKind]: KindRule } = {
  agent: agentKind,
  command: commandKind,
  evaluate: evaluateKind,
  lanes: lanesKind,
  review: reviewKind,
  step: stepKind,
};
