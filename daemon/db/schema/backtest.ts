import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id } from './columns.ts';
import { runs } from './runs.ts';

const runId = () =>
  uuid('run_id')
    .notNull()
    .references(() => runs.id, { onDelete: 'cascade' });

/** Reserved for measured loops: their columns come with the feature. */
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
