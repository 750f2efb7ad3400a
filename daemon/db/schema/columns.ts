import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, type CheckBuilder, check, customType, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The primary key of nearly every table: derived by the caller inside a run, random otherwise. */
export const id = () => uuid('id').primaryKey().defaultRandom();

/** A UTC instant with milliseconds: what a JavaScript Date holds, so a value read back equals the one written. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const createdAt = () => instant('created_at').notNull().defaultNow();

/** Null until the row changes for the first time. */
export const updatedAt = () => instant('updated_at');

/**
 * Closes a text column over an enum of `schemas/enums.ts`. Values are spelled into the DDL, so a new member of an enum
 * is a migration. Null passes, as every SQL check lets it.
 */
export function oneOf(name: string, column: AnyPgColumn, values: readonly string[]): CheckBuilder {
  const list: SQL = sql.raw(values.map((value) => `'${value}'`).join(', '));
  return check(name, sql`${column} IN (${list})`);
}
