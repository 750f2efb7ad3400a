import type { OfKinds, PhaseKind } from '../../schemas/enums.ts';
import { type DirectState, directState } from './direct/state.ts';
import { type LanesState, lanesState } from './lanes/state.ts';
import { type ReviewState, reviewState } from './review/state.ts';
import type { StateRules } from './stateRules.ts';

type Nothing = Record<never, never>;

/** The state of a phase of each kind, beside that of all phases. */
export type StateOfKind = OfKinds<{
  agent: Nothing;
  command: Nothing;
  direct: DirectState;
  evaluate: Nothing;
  lanes: LanesState;
  review: ReviewState;
  step: Nothing;
}>;

const nothing: StateRules<Nothing> = { initial: {}, endsWithAssignments: true };

/** A missing kind does not compile. */
const RULES: { readonly [K in PhaseKind]: StateRules<StateOfKind[K]> } = {
  agent: nothing,
  command: nothing,
  direct: directState,
  evaluate: nothing,
  lanes: lanesState,
  review: reviewState,
  step: nothing,
};

export function stateRulesOf<K extends PhaseKind>({ kind }: { kind: K }): StateRules<StateOfKind[K]> {
  return RULES[kind];
}
