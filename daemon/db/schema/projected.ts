import type { InferSelectModel } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { approvalDecisions, approvalRequests } from './approvals.ts';
import { artifacts } from './artifacts.ts';
import { backtestIterations, backtestMetrics } from './backtest.ts';
import { commands } from './commands.ts';
import { reviewFindings } from './findings.ts';
import { lanes, laneTasks } from './lanes.ts';
import { runPhases } from './phases.ts';
import { runBindings, runInputs, runs } from './runs.ts';
import { tuiSessions } from './sessions.ts';

type Columns<T extends PgTable> = InferSelectModel<T, { dbColumnNames: true }>;

/** A table that transitions write. */
export interface Projected<T extends PgTable = PgTable, C extends string = string, O extends C = C> {
  table: T;
  /** An update keeps these, and `id`, `run_id` and `created_at`. */
  kept?: readonly C[];
  /** Written elsewhere: transitions neither insert nor update these. */
  others?: readonly O[];
  /** Have a default, but a row must have them. */
  required?: readonly C[];
  /** A row is written once. Writing it again changes nothing. */
  isImmutable?: boolean;
  /** A row with only its id is deleted. */
  isRemovable?: boolean;
}

const projected = <T extends PgTable, const O extends keyof Columns<T> & string = never>(
  table: T,
  how: Omit<Projected<T, keyof Columns<T> & string, O>, 'table'> = {},
) => ({ table, ...how });

/**
 * The tables that a transition writes besides the log, parents first. `devflow_put_rows` and the types of the rows are made from
 * this.
 */
export const PROJECTED = {
  runs: projected(runs),
  run_inputs: projected(runInputs),
  run_bindings: projected(runBindings),
  run_phases: projected(runPhases),
  approval_requests: projected(approvalRequests),
  approval_decisions: projected(approvalDecisions, { isImmutable: true }),
  lanes: projected(lanes, { kept: ['lane_id'] }),
  lane_tasks: projected(laneTasks, { kept: ['phase_id', 'task_id'], isRemovable: true }),
  review_findings: projected(reviewFindings, {
    kept: ['phase_id'],
    required: ['verifier_status', 'state', 'details'],
    isRemovable: true,
  }),
  backtest_iterations: projected(backtestIterations, {
    kept: ['phase_id', 'attempt', 'iteration', 'commit', 'tree', 'started_at'],
  }),
  backtest_metrics: projected(backtestMetrics, { isImmutable: true }),
  tui_sessions: projected(tuiSessions, {
    others: ['last_capture_seq', 'last_known_pane_pid', 'tmux_session', 'tmux_window', 'tmux_pane'],
  }),
  artifacts: projected(artifacts),
  commands: projected(commands),
};

export type ProjectedTable = keyof typeof PROJECTED;

/** A row without these gets the time of the database. */
type Clocked = 'created_at' | 'updated_at';

type Table<N extends ProjectedTable> = Columns<(typeof PROJECTED)[N]['table']>;
type Others<N extends ProjectedTable> = NonNullable<(typeof PROJECTED)[N]['others']>[number];
type Plain<V> = V extends Date ? string : V;

/** A whole row of a table as JSON. A projection that lacks a column does not compile. */
export type RowOf<N extends ProjectedTable> = {
  [C in Exclude<keyof Table<N>, Others<N> | Clocked>]: Plain<Table<N>[C]>;
} & { [C in keyof Table<N> & Clocked]?: Plain<Table<N>[C]> };
