import { isDeepStrictEqual } from 'node:util';
import type { Run } from '../../core/run/state.ts';
import { PROJECTED, type ProjectedTable } from '../../db/schema/projected.ts';
import { decisionRows, requestRows } from './approvalRows.ts';
import { evaluationRows, measurementRows } from './evaluationRows.ts';
import { findingRows } from './findingRows.ts';
import { laneRows, taskRows } from './laneRows.ts';
import { bindingRows, inputRows, phaseRows, runRows } from './runRows.ts';
import type { TableProjection } from './tableProjection.ts';
import { artifactRows, commandRows, sessionRows } from './workRows.ts';

type Row = Record<string, unknown>;
export type Rows = Partial<Record<ProjectedTable, Row[]>>;

const TABLES: { [N in ProjectedTable]: TableProjection<N, unknown> } = {
  runs: runRows,
  run_inputs: inputRows,
  run_bindings: bindingRows,
  run_phases: phaseRows,
  approval_requests: requestRows,
  approval_decisions: decisionRows,
  lanes: laneRows,
  lane_tasks: taskRows,
  review_findings: findingRows,
  backtest_iterations: evaluationRows,
  backtest_metrics: measurementRows,
  tui_sessions: sessionRows,
  artifacts: artifactRows,
  commands: commandRows,
};
const NAMES = Object.keys(TABLES) as ProjectedTable[];

/** Their rows store the time of their last change. A run does not know it, so a replay does not compare it. */
const isStamped = (name: ProjectedTable) => name !== 'runs' && 'updatedAt' in PROJECTED[name].table;

/** All rows of a run. A pure function of the run: rows are projections. */
export function rowsOf(run: Run): Required<Rows> {
  const rows = NAMES.map((name) => [name, TABLES[name].parts(run).map((part) => TABLES[name].row(run, part))]);
  return Object.fromEntries(rows) as Required<Rows>;
}

/**
 * Only the rows that differ: those that a transition must write. A row with nothing but its id is one that is gone. The cost
 * follows what changed, not how large the run is.
 */
export function changedRows(before: Run | undefined, after: Run): Rows {
  const changed: Rows = {};
  for (const name of NAMES) {
    const rows = differences(TABLES[name], before, after);
    const stamp = isStamped(name) ? { updated_at: after.updatedAt } : {};
    if (rows.length > 0) changed[name] = rows.map((row) => ({ ...row, ...stamp }));
  }
  return changed;
}

function differences(table: TableProjection<ProjectedTable, unknown>, before: Run | undefined, after: Run): Row[] {
  const then = before ? table.parts(before) : [];
  const now = table.parts(after);
  if (then === now) return [];
  const replaced = before ? without(then, now).map((part) => table.row(before, part)) : [];
  const old = new Map(replaced.map((row) => [row.id, row]));
  const differing: Row[] = [];
  for (const part of without(now, then)) {
    const row = table.row(after, part);
    if (!isDeepStrictEqual(old.get(row.id), row)) differing.push(row);
    old.delete(row.id);
  }
  return [...differing, ...Array.from(old.keys(), (id) => ({ id }))];
}

function without(parts: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others);
  return parts.filter((part) => !known.has(part));
}
