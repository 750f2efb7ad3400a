import type { KindDefinition } from '../definitions/phase/kindDefinition.ts';
import type { PhaseKind } from '../enums.ts';
import { agentDefinition } from './agent/definition.ts';
import { commandDefinition } from './command/definition.ts';
import { directDefinition } from './direct/definition.ts';
import { evaluateDefinition } from './evaluate/definition.ts';
import { lanesDefinition } from './lanes/definition.ts';
import { reviewDefinition } from './review/definition.ts';
import { stepDefinition } from './step/definition.ts';

/** The definitions of all kinds of phases; a missing one does not compile. */
export const KIND_DEFINITIONS: { readonly [K in PhaseKind]: KindDefinition } = {
  agent: agentDefinition,
  command: commandDefinition,
  direct: directDefinition,
  evaluate: evaluateDefinition,
  lanes: lanesDefinition,
  review: reviewDefinition,
  step: stepDefinition,
};
