import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, type CheckBuilder, check, customType, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { MAIN } from '../../../schemas/mainLane.ts';

/** The primary key of nearly every table. Inside a run the caller derives it; otherwise it is random. */
export const id = () => uuid('id').primaryKey().defaultRandom();

/** A UTC instant with milliseconds: what a JavaScript Date holds, so a value read back equals the one written. */
export const instant = <N extends string>(name: N) =>
  timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const createdAt = () => instant('created_at').notNull().defaultNow();

/** Null until the row changes for the first time. */
export const updatedAt = () => instant('updated_at');

/** The lane in which something happened; `main` is the run's own worktree. */
export const laneId = () => text('lane_id').notNull().default(MAIN);

/**
 * Limits a text column to an enum of `schemas/enums.ts`. The DDL contains the values, so a new member needs a migration. Null
 * passes, as in every SQL check.
 */
export function oneOf(name: string, column: AnyPgColumn, values: readonly string[]): CheckBuilder {
  const list: SQL = sql.raw(values.map((value) => `'${value}'`).join(', '));
  return check(name, sql`${column} IN (${list})`);
}
