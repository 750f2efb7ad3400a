import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { CommandKind } from '../../../schemas/enums.ts';
import { id, instant, laneId, oneOf, updatedAt } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

/**
 * A command that devflow ran itself. A command of a phase is a projection of the log and has output files. If it has no end,
 * devflow died during it. A row without output files is devflow's own git call that changed a repository. No event records
 * such a call, and devflow writes the row when the call ends. Commands of doctor belong to no run and have no row.
 */
export const commands = pgTable(
  'commands',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    phaseId: uuid('phase_id').references(() => runPhases.id),
    laneId: laneId(),
    kind: text('kind').$type<CommandKind>().notNull(),
    argv: text('argv').array().notNull(),
    cwd: text('cwd').notNull(),
    exitCode: integer('exit_code'),
    stdoutPath: text('stdout_path'),
    stderrPath: text('stderr_path'),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    updatedAt: updatedAt(),
  },
  (t) => [index('commands_run_id_idx').on(t.runId), oneOf('commands_kind_check', t.kind, CommandKind.options)],
);
