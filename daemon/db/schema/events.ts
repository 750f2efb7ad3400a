import { bigint, bigserial, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

/**
 * The append-only log. Only the database function `devflow_commit` writes it; triggers refuse UPDATE, TRUNCATE, and DELETE
 * except by cascade from `runs`. Tail it per run by `seq`, because `id` is not in commit order.
 */
export const runEvents = pgTable(
  'run_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    phaseId: uuid('phase_id').references(() => runPhases.id),
    /** From 1, without gaps within a run. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    type: text('type').notNull(),
    payload: jsonb('payload').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    ts: instant('ts').notNull().defaultNow(),
  },
  (t) => [
    unique('run_events_run_id_seq_key').on(t.runId, t.seq),
    unique('run_events_run_id_idempotency_key_key').on(t.runId, t.idempotencyKey),
    index('run_events_run_id_ts_idx').on(t.runId, t.ts),
  ],
);
