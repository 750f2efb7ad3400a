import type { PhaseKind } from '../../enums.ts';
import { agentKind } from './agent.ts';
import { commandKind } from './command.ts';
import { lanesKind } from './lanes.ts';
import type { KindRule } from './phaseKind.ts';
import { reviewKind } from './review.ts';

/** The rules of all kinds of phases; a missing one does not compile. */
export const KIND_RULES: { readonly [K in PhaseKind]: KindRule } = {
  agent: agentKind,
  command: commandKind,
  lanes: lanesKind,
  review: reviewKind,
};
