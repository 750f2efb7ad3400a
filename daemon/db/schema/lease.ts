import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * One row: the leader. The advisory lock decides who leads. The lease shows whether the holder is alive, and its epoch fences
 * the writes of a replaced holder.
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
