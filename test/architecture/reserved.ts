/**
 * Declared names without a user yet, with the work that will use them. A used name must leave its list. A new unused
 * name is a mistake, or needs its line here with the topic of its issue. No declared name is removed, because databases
 * and logs of earlier versions contain it.
 */

/** Error codes that no code throws. */
export const RESERVED_ERRORS: Readonly<Record<string, string>> = {
  objective_not_met: 'objective: the rounds of a backtest are used up',
  review_dispute_unresolved: 'review: the reviewers do not agree',
};

/** Events that no code writes. */
export const RESERVED_EVENTS: Readonly<Record<string, string>> = {
  'backtest.iteration_started': 'objective: a round begins',
  'backtest.iteration_completed': 'objective: a round has ended',
  'backtest.objective_evaluated': 'objective: the metrics were judged',
};

/** Tables that no code writes. */
export const RESERVED_TABLES: Readonly<Record<string, string>> = {
  backtest_iterations: 'objective: rows of the rounds',
  backtest_metrics: 'objective: what the rounds measured',
};
