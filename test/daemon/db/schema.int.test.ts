import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import type pg from 'pg';
import { expect, test } from 'vitest';
import * as schema from '../../../daemon/db/schema/index.ts';
import { MIGRATIONS_DIR } from '../../helpers/globalPostgres.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const db = useDatabase();
const FILE = join(import.meta.dirname, 'schema.json');

const DUMP = {
  columns: `SELECT table_name || '.' || column_name AS name, concat_ws(' ', CASE data_type WHEN 'ARRAY' THEN udt_name ELSE
      data_type END || coalesce('(' || datetime_precision || ')', ''), CASE is_nullable WHEN 'NO' THEN 'not null' END,
      'default ' || column_default) AS text
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  constraints: `SELECT conrelid::regclass || '.' || conname AS name, pg_get_constraintdef(oid) AS text
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1`,
  indexes: `SELECT indexname AS name, indexdef AS text FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
  triggers: `SELECT tgname AS name, pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
  functions: `SELECT oid::regprocedure::text AS name, md5(pg_get_functiondef(oid)) AS text FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'devflow%' ORDER BY 1`,
};

async function dump(pool: pg.Pool): Promise<Record<string, Record<string, string>>> {
  const whole: Record<string, Record<string, string>> = {};
  for (const [kind, query] of Object.entries(DUMP)) {
    const { rows } = await pool.query(query);
    whole[kind] = Object.fromEntries(rows.map(({ name, text }) => [name, text]));
  }
  return whole;
}

test('the migrated database matches the committed one (UPDATE=1 rewrites it)', async () => {
  const found = await dump(db().pool);
  if (process.env.UPDATE) writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
  expect(found).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});

test('the migrations contain everything in the drizzle schema', async () => {
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS_DIR, 'meta/_journal.json'), 'utf8'));
  const last = String(entries.at(-1).idx).padStart(4, '0');
  const migrated = JSON.parse(readFileSync(join(MIGRATIONS_DIR, `meta/${last}_snapshot.json`), 'utf8'));
  expect(await generateMigration(migrated, generateDrizzleJson(schema, migrated.id))).toEqual([]);
});
