import type { OfKinds } from '../../schemas/enums.ts';
import type { EvaluationEffect, EvaluationOutcome } from './evaluate/effect.ts';
import type { LaneEffect, LaneOutcome } from './lanes/effect.ts';
import type { ReviewEffect, ReviewOutcome } from './review/effect.ts';
import type { StepEffect, StepOutcome } from './step/effect.ts';

/** The effects for phases of each kind, beside those for all. */
export type EffectOfKind = OfKinds<{
  agent: never;
  command: never;
  direct: never;
  evaluate: EvaluationEffect;
  lanes: LaneEffect;
  review: ReviewEffect;
  step: StepEffect;
}>;

/** The outcomes of these effects. */
export type OutcomeOfKind = OfKinds<{
  agent: never;
  command: never;
  direct: never;
  evaluate: EvaluationOutcome;
  lanes: LaneOutcome;
  review: ReviewOutcome;
  step: StepOutcome;
}>;
