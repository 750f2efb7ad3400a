import type { OfKinds } from '../../schemas/enums.ts';
import type { EvaluationEffect, EvaluationOutcome } from './evaluate/effect.ts';
import type { LaneEffect, LaneOutcome } from './lanes/effect.ts';
import type { ReviewEffect, ReviewOutcome } from './review/effect.ts';
import type { StepEffect, StepOutcome } from './step/effect.ts';

/** What devflow does for phases of each kind, beside what it does for all. */
export type EffectOfKind = OfKinds<{
  agent: never;
  command: never;
  evaluate: EvaluationEffect;
  lanes: LaneEffect;
  review: ReviewEffect;
  step: StepEffect;
}>;

/** What comes of these effects. */
export type OutcomeOfKind = OfKinds<{
  agent: never;
  command: never;
  evaluate: EvaluationOutcome;
  lanes: LaneOutcome;
  review: ReviewOutcome;
  step: StepOutcome;
}>;
