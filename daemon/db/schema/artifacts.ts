import { boolean, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, laneId } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

export const artifacts = pgTable(
  'artifacts',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    phaseId: uuid('phase_id').references(() => runPhases.id),
    laneId: laneId(),
    /** Where the agent wrote it, in its worktree. */
    path: text('path').notNull(),
    /** The read-only copy under WORKSPACE_ROOT; null for an invalid artifact. */
    storedPath: text('stored_path'),
    schemaId: text('schema_id').notNull(),
    hash: text('hash').notNull(),
    valid: boolean('valid').notNull(),
    validationError: jsonb('validation_error'),
    createdAt: createdAt(),
  },
  (t) => [unique('artifacts_run_id_path_hash_key').on(t.runId, t.path, t.hash)],
);
