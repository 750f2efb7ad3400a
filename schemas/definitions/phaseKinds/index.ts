import type { PhaseKind } from '../../enums.ts';
import { agentDefinition } from './agent.ts';
import { commandDefinition } from './command.ts';
import { evaluateDefinition } from './evaluate.ts';
import { lanesDefinition } from './lanes.ts';
import type { KindDefinition } from './phaseKind.ts';
import { reviewDefinition } from './review.ts';
import { stepDefinition } from './step.ts';

/** The definitions of all kinds of phases; a missing one does not compile. */
export const KIND_DEFINITIONS: { readonly [K in PhaseKind]: KindDefinition } = {
  agent: agentDefinition,
  command: commandDefinition,
  evaluate: evaluateDefinition,
  lanes: lanesDefinition,
  review: reviewDefinition,
  step: stepDefinition,
};
