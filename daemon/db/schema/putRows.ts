import { is, SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { PROJECTED, type Projected } from './projected.ts';

const WIDTH = 120;
const NAME = 'devflow_put_rows';
const HEAD = `-- Upserts the rows of transitions, set by set and parents first. p_rows[i] belongs to the i-th transition; of a row that
-- several transitions carry the last one stands (ON CONFLICT may not touch a row twice). Whole projected rows only: a
-- column left out is set to null. One pair of DISTINCT ON and ORDER BY keeps the callers' order, which matters where one
-- run's end makes room for another's beginning (ux_active_run_repo_base).
CREATE OR REPLACE FUNCTION ${NAME}(p_rows jsonb[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
  v_tables text[] := ARRAY(SELECT DISTINCT jsonb_object_keys(x) FROM unnest(p_rows) x);
BEGIN`;

const FUNCTION = new RegExp(`CREATE (?:OR REPLACE )?FUNCTION ${NAME}\\b.*?\\nEND \\$\\$;`, 's');

/** The database function that writes the rows of transitions, as `PROJECTED` describes them. */
export function putRowsFunction(): string {
  const blocks = Object.entries(PROJECTED).map(([name, how]) => {
    const statements = how.isImmutable ? insertOnce(name, how) : upsert(name, how);
    return [`  IF '${name}' = ANY (v_tables) THEN`, ...statements, '  END IF;'].join('\n');
  });
  return `${HEAD}\n${blocks.join('\n\n')}\nEND $$;`;
}

/** The function that a new migration must contain; undefined if the last one of these migrations is the tables' own. */
export function missingFunction(migrations: readonly string[]): string | undefined {
  const wanted = putRowsFunction();
  const last = migrations.flatMap((text) => text.match(FUNCTION) ?? []).at(-1);
  return last !== undefined && bare(last) === bare(wanted) ? undefined : wanted;
}

const bare = (sql: string): string =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/^\s*CREATE (?:OR REPLACE )?/, '')
    .replace(/\s+/g, ' ');

function insertOnce(name: string, how: Projected): string[] {
  return [
    ...insertInto(name, how, 'r.'),
    '    FROM unnest(p_rows) WITH ORDINALITY x(j, n),',
    `      jsonb_populate_recordset(NULL::${name}, x.j->'${name}') r ORDER BY x.n`,
    '    ON CONFLICT (id) DO NOTHING;',
  ];
}

function upsert(name: string, how: Projected): string[] {
  const from = 'FROM unnest(p_rows) WITH ORDINALITY x(j, n),';
  const rows = `jsonb_populate_recordset(NULL::${name}, x.j->'${name}') r ORDER BY r.id, x.n DESC) latest`;
  const removal = [
    `    DELETE FROM ${name} WHERE id IN (SELECT id`,
    `      FROM (SELECT DISTINCT ON (r.id) r.id, r.run_id ${from}`,
    `        ${rows}`,
    '      WHERE run_id IS NULL);',
  ];
  const kept = ['id', 'run_id', 'created_at', ...(how.kept ?? [])];
  const updates = columnsOf(how)
    .filter(({ name: column }) => !kept.includes(column))
    .map(({ name: column }) =>
      column === 'updated_at' ? `${column} = coalesce(excluded.${column}, now())` : `${column} = excluded.${column}`,
    );
  return [
    ...(how.isRemovable ? removal : []),
    ...insertInto(`${name} AS old`, how),
    `    FROM (SELECT DISTINCT ON (r.id) r.*, x.n ${from}`,
    `      ${rows}`,
    `    ${how.isRemovable ? 'WHERE run_id IS NOT NULL ' : ''}ORDER BY n`,
    ...wrap('ON CONFLICT (id) DO UPDATE SET ', updates, ';'),
  ];
}

function insertInto(table: string, how: Projected, prefix = ''): string[] {
  const columns = columnsOf(how);
  const names = columns.map(({ name }) => name);
  const values = columns.map((column) => given(how, column, prefix));
  return [...wrap(`INSERT INTO ${table} (`, names, ')'), ...wrap('SELECT ', values)];
}

const columnsOf = ({ table, others = [] }: Projected): PgColumn[] =>
  getTableConfig(table).columns.filter(({ name }) => !others.includes(name));

/** The value that a row gives for a column, else the column's default. */
function given({ required = [] }: Projected, column: PgColumn, prefix: string): string {
  const value = `${prefix}${column.name}`;
  if (column.name === 'id' || column.default === undefined || required.includes(column.name)) return value;
  return `coalesce(${value}, ${literal(column.default)})`;
}

function literal(value: unknown): string {
  if (is(value, SQL)) return new PgDialect().sqlToQuery(value).sql;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** A statement's part with its list, in lines of at most 120 characters. */
function wrap(begin: string, items: readonly string[], end = ''): string[] {
  const lines = [`    ${begin}`];
  for (const [index, item] of items.entries()) {
    const text = `${item}${index < items.length - 1 ? ',' : end}`;
    const line = lines.at(-1) as string;
    const joined = index === 0 ? `${line}${text}` : `${line} ${text}`;
    if (joined.length <= WIDTH) lines[lines.length - 1] = joined;
    else lines.push(`      ${text}`);
  }
  return lines;
}
