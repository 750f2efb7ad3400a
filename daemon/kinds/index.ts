import type { PhaseKind } from '../../schemas/enums.ts';
import type { KindRules } from '../core/phases/kindRules.ts';
import { agentRules } from './agent/kind.ts';
import { commandRules } from './command/kind.ts';
import { evaluateRules } from './evaluate/kind.ts';
import { lanesRules } from './lanes/kind.ts';
import { reviewRules } from './review/kind.ts';
import { stepRules } from './step/kind.ts';

/** All kinds of phases; a missing one does not compile. */
const KINDS: { readonly [K in PhaseKind]: KindRules<K> } = {
  agent: agentRules,
  command: commandRules,
  evaluate: evaluateRules,
  lanes: lanesRules,
  review: reviewRules,
  step: stepRules,
};

/** The kind of a phase of the run. */
export function kindOf<K extends PhaseKind>({ kind }: { kind: K }): KindRules<K> {
  return KINDS[kind];
}
