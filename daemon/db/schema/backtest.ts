import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id } from './columns.ts';
import { runs } from './runs.ts';

const runId = () =>
  uuid('run_id')
    .notNull()
    .references(() => runs.id, { onDelete: 'cascade' });

/** Stubs: the plan defers their real columns to M12. */
export const backtestIterations = pgTable('backtest_iterations', {
  id: id(),
  runId: runId(),
  payload: jsonb('payload'),
  createdAt: createdAt(),
});

export const backtestMetrics = pgTable('backtest_metrics', {
  id: id(),
  runId: runId(),
  payload: jsonb('payload'),
  createdAt: createdAt(),
});
