import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../core/run/state.ts';
import { PROJECTED, type ProjectedTable } from '../db/schema/projected.ts';
import { rowsOf } from './projection/projection.ts';
import type { Queries } from './readLog.ts';

type Row = Record<string, unknown>;

export interface Difference {
  /** `<table>.<row id>[.<column>]`. */
  path: string;
  replayed: unknown;
  stored: unknown;
}

/** The other tables have the run's id. */
const SELECTS: Partial<Record<ProjectedTable, string>> = {
  runs: 'SELECT * FROM runs WHERE id = $1',
  approval_decisions: `SELECT d.* FROM approval_decisions d
    JOIN approval_requests r ON r.id = d.approval_request_id WHERE r.run_id = $1`,
  // A row without output files is devflow's own git call, which no event records.
  commands: 'SELECT * FROM commands WHERE run_id = $1 AND stdout_path IS NOT NULL',
};

/** Compares a replayed run with its rows, column by column. Empty if the rows match. */
export async function findDifferences(db: Queries, run: Run): Promise<Difference[]> {
  const expected = rowsOf(run);
  const differences: Difference[] = [];
  for (const table of Object.keys(PROJECTED) as ProjectedTable[]) {
    const { rows } = await db.query(SELECTS[table] ?? `SELECT * FROM ${table} WHERE run_id = $1`, [run.id]);
    differences.push(...compareTable(table, expected[table], rows));
  }
  return differences;
}

function compareTable(table: string, replayed: readonly Row[], stored: readonly Row[]): Difference[] {
  const differences: Difference[] = [];
  const found = new Map(stored.map((row) => [row.id, row]));
  for (const row of replayed) {
    const other = found.get(row.id);
    found.delete(row.id);
    if (!other) {
      differences.push({ path: `${table}.${row.id}`, replayed: row, stored: null });
      continue;
    }
    for (const [column, value] of Object.entries(row)) {
      const kept = plain(other[column]);
      if (!isDeepStrictEqual(plain(value), kept)) {
        differences.push({ path: `${table}.${row.id}.${column}`, replayed: value, stored: kept });
      }
    }
  }
  for (const [id, row] of found) differences.push({ path: `${table}.${id}`, replayed: null, stored: plain(row) });
  return differences;
}

/** A value as JSON carries it: a Date as ISO text, undefined as null. */
function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
