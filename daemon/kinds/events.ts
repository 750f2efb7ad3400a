import type { RunEventType } from '../../schemas/events/index.ts';

/** The types of the events that only a kind of phase has. A missing kind does not compile. */
export interface EventOfKind {
  agent: never;
  command: never;
  evaluate: Extract<RunEventType, `backtest.${string}`>;
  lanes: Extract<RunEventType, `lane.${string}` | `task.${string}` | `merge.${string}`>;
  review: Extract<RunEventType, `review.${string}` | `finding.${string}`>;
  step: never;
}
