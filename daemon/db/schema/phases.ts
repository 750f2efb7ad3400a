import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { RunPhaseState } from '../../../schemas/enums.ts';
import { id, instant, oneOf, updatedAt } from './columns.ts';
import { runs } from './runs.ts';

export const runPhases = pgTable(
  'run_phases',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    phaseKey: text('phase_key').notNull(),
    /** The place of the phase in its template, from 1. */
    seq: integer('seq').notNull(),
    state: text('state').$type<RunPhaseState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('run_phases_run_id_phase_key_key').on(t.runId, t.phaseKey),
    oneOf('run_phases_state_check', t.state, RunPhaseState.options),
  ],
);
