import { bigint, boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * One row for each host: its daemon. Advisory locks decide who may run. The lease shows whether the daemon is alive, and its
 * epoch fences the writes of a replaced one.
 */
export const daemonLease = pgTable('daemon_lease', {
  /** The id in the configuration. */
  host: text('host').primaryKey(),
  /** Grows with each lease of this database; 0: fenced by a daemon that leads alone. */
  epoch: bigint('epoch', { mode: 'number' }).notNull(),
  pid: integer('pid').notNull(),
  /** The operating system's name of the host. */
  machine: text('machine'),
  version: text('version'),
  /** The installation that has this id. A second one under the same id is refused. Null: none has said its id yet. */
  installation: text('installation'),
  /** The lead of the host's clock over the database's at its last beat, in ms. */
  clockSkewMs: bigint('clock_skew_ms', { mode: 'number' }),
  /** True for the daemon that last led alone. The runs without a host are on its disk. */
  ledAlone: boolean('led_alone').notNull().default(false),
  takenAt: instant('taken_at').notNull().defaultNow(),
  beatAt: instant('beat_at').notNull(),
  /** When the daemon stopped in order; null while it runs, and after a crash. */
  stoppedAt: instant('stopped_at'),
});
