import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * One row: who leads. The advisory lock decides; the lease tells a live holder from a stopped one, and its epoch fences
 * the writes of a holder that was replaced without noticing.
 */
export const daemonLease = pgTable(
  'daemon_lease',
  {
    id: smallint('id').primaryKey().default(1),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    pid: integer('pid').notNull(),
    host: text('host'),
    version: text('version'),
    takenAt: instant('taken_at').notNull().defaultNow(),
    beatAt: instant('beat_at').notNull(),
  },
  (t) => [check('daemon_lease_id_check', sql`${t.id} = 1`)],
);
