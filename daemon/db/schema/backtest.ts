import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { EvaluationStatus, StopReason } from '../../../schemas/objective/measured.ts';
import { createdAt, id, instant, oneOf, updatedAt } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

const runId = () =>
  uuid('run_id')
    .notNull()
    .references(() => runs.id, { onDelete: 'cascade' });

/** The evaluations of runs that are judged by measurements. */
export const backtestIterations = pgTable(
  'backtest_iterations',
  {
    id: id(),
    runId: runId(),
    phaseId: uuid('phase_id').references(() => runPhases.id),
    attempt: integer('attempt').notNull(),
    /** 0 is the state before the first change. */
    iteration: integer('iteration').notNull(),
    commit: text('commit').notNull(),
    tree: text('tree').notNull(),
    /** Null until everything is measured. */
    status: text('status').$type<EvaluationStatus>(),
    isKept: boolean('is_kept'),
    /** The primary metric and its standard deviation. */
    value: doublePrecision('value'),
    deviation: doublePrecision('deviation'),
    gain: doublePrecision('gain'),
    needed: doublePrecision('needed'),
    targetsMet: integer('targets_met').notNull(),
    reason: text('reason'),
    stopReason: text('stop_reason').$type<StopReason>(),
    hypothesis: jsonb('hypothesis'),
    /** Targets, guards and what else is only shown. */
    details: jsonb('details').notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('backtest_iterations_run_id_idx').on(t.runId),
    oneOf('backtest_iterations_status_check', t.status, EvaluationStatus.options),
    oneOf('backtest_iterations_stop_reason_check', t.stopReason, StopReason.options),
  ],
);

/** The metrics of each run of a measuring command. */
export const backtestMetrics = pgTable(
  'backtest_metrics',
  {
    id: id(),
    runId: runId(),
    iterationId: uuid('iteration_id')
      .notNull()
      .references(() => backtestIterations.id, { onDelete: 'cascade' }),
    commandId: uuid('command_id').notNull(),
    part: text('part').notNull(),
    metrics: jsonb('metrics').notNull(),
    /** Why metrics have no value. */
    absent: jsonb('absent').notNull(),
    fault: text('fault'),
    createdAt: createdAt(),
  },
  (t) => [index('backtest_metrics_iteration_id_idx').on(t.iterationId)],
);
