import { type Summary, summarise } from '../../../../daemon/core/objective/values.ts';
import type { Measurement } from '../../../../schemas/objective/measured.ts';
import type { Objective } from '../../../../schemas/objective/objective.ts';
import { type ObjectiveDocument, readObjective } from '../../../../schemas/objective/readObjective.ts';

/** A Sharpe ratio of at least 1.5, unless the test wants something else. */
export function objectiveOf(given: Partial<ObjectiveDocument> = {}): Objective {
  return readObjective({ targets: [{ metric: 'sharpe', op: 'gte', value: 1.5 }], ...given });
}

export function measured(metrics: Record<string, number>, more: Partial<Measurement> = {}): Measurement {
  const nothing = { rounded: {}, absent: {}, seed: null, data: {}, mined: null, equity: null };
  return { ...nothing, fault: null, failure: null, ...more, metrics };
}

export function crashed(fault: string): Measurement {
  return measured({}, { fault, failure: fault });
}

/** One measurement of these metrics. */
export function once(metrics: Record<string, number>, more: Partial<Measurement> = {}): Summary {
  return summarise([measured(metrics, more)]);
}

/** Several measurements of one metric. */
export function repeated(metric: string, ...values: number[]): Summary {
  return summarise(values.map((value) => measured({ [metric]: value })));
}
