import type { PhaseKind } from '../../schemas/enums.ts';
import type { KindEventType, RunEvent } from '../../schemas/events/index.ts';
import type { PossibleOf } from '../core/effect/possible.ts';
import type { Folds, KindRules } from '../core/phases/kindRules.ts';
import type { Run } from '../core/run/state.ts';
import { agentRules } from './agent/kind.ts';
import { commandRules } from './command/kind.ts';
import { directRules } from './direct/kind.ts';
import type { EffectOfKind } from './effects.ts';
import { evaluateRules } from './evaluate/kind.ts';
import { lanesRules } from './lanes/kind.ts';
import { reviewRules } from './review/kind.ts';
import { stepRules } from './step/kind.ts';

/** All kinds of phases; a missing one does not compile. */
const KINDS: { readonly [K in PhaseKind]: KindRules<K> } = {
  agent: agentRules,
  command: commandRules,
  direct: directRules,
  evaluate: evaluateRules,
  lanes: lanesRules,
  review: reviewRules,
  step: stepRules,
};

/** The kind of a phase of the run. */
export function kindOf<K extends PhaseKind>({ kind }: { kind: K }): KindRules<K> {
  return KINDS[kind];
}

/** Merges one table of all kinds. Their keys, types of events or effects, never overlap. */
function merged<T>(partOf: (rules: (typeof KINDS)[PhaseKind]) => object): T {
  return Object.assign({}, ...Object.values(KINDS).map(partOf));
}

const FOLDS = merged<Folds<KindEventType<PhaseKind>>>(({ folds }) => folds);

type KindEvent = Extract<RunEvent, { type: KindEventType<PhaseKind> }>;

/** True for an event that only a kind of phase has. */
export function isOfKind(event: RunEvent): event is KindEvent {
  return Object.hasOwn(FOLDS, event.type);
}

export function evolveOfKind(run: Run, event: KindEvent): Run {
  return (FOLDS[event.type] as (run: Run, event: KindEvent) => Run)(run, event);
}

export const POSSIBLE_OF_KINDS = merged<{ readonly [T in EffectOfKind[PhaseKind]['type']]: PossibleOf<T> }>(
  ({ rehearsal }) => rehearsal.possible,
);
