import type pg from 'pg';
import type { RunState } from '../../schemas/enums.ts';
import type { StopReason } from '../../schemas/objective/measured.ts';
import type { IterationRow } from '../../schemas/rpc/views/backtest.ts';

/** A run that is judged by measurements, as its rows have it. */
export interface LoopRow {
  runId: string;
  state: RunState;
  template: string;
  repoPath: string;
  objective: unknown;
  iterations: number;
  base: number | null;
  best: { iteration: number; value: number; targetsMet: number } | null;
  stop: StopReason | null;
  createdAt: string;
}

/** The newest runs that have measured something, newest first; without a limit, all of them. */
export function listLoops(pool: pg.Pool, limit?: number): Promise<LoopRow[]> {
  return queryLoops(pool, 'ORDER BY r.created_at DESC, r.id LIMIT $1', limit ?? null);
}

/** A run and its evaluations, in their order. Undefined for a run that has measured nothing. */
export async function readLoop(
  pool: pg.Pool,
  runId: string,
): Promise<{ loop: LoopRow; iterations: IterationRow[] } | undefined> {
  const [[loop], { rows }] = await Promise.all([
    queryLoops(pool, 'AND r.id = $1', runId),
    // As one text, which is parsed once.
    pool.query<{ iterations: IterationRow[] }>(
      `SELECT json_agg(i) AS iterations FROM (
         SELECT iteration, attempt, CASE WHEN is_kept IS NULL THEN 'running' ELSE status END AS status, value, deviation,
           gain, needed, targets_met AS "targetsMet", coalesce(is_kept, false) AS "isKept", details -> 'isMet' AS "isMet",
           reason, details -> 'seen' AS seen, details -> 'stop' AS stop,
           CASE WHEN hypothesis IS NOT NULL THEN json_build_object(
             'hypothesis', hypothesis -> 'hypothesis', 'expect', hypothesis -> 'expect') END AS hypothesis
         FROM backtest_iterations WHERE run_id = $1 ORDER BY iteration, attempt, started_at) AS i`,
      [runId],
    ),
  ]);
  return loop && { loop, iterations: rows[0]?.iterations ?? [] };
}

async function queryLoops(pool: pg.Pool, which: string, value: unknown): Promise<LoopRow[]> {
  const { rows } = await pool.query(
    `SELECT r.id AS "runId", r.state, t.name || '@' || t.version AS template, r.repo_path AS "repoPath", i.objective,
       counted.iterations, base.value AS base, best.best, last.stop_reason AS stop, r.created_at AS "createdAt"
     FROM runs r JOIN workflow_templates t ON t.id = r.template_id JOIN run_inputs i ON i.run_id = r.id
     CROSS JOIN LATERAL (
       SELECT count(DISTINCT iteration) FILTER (WHERE iteration > 0)::int AS iterations, count(*) AS evaluations
       FROM backtest_iterations WHERE run_id = r.id) AS counted
     LEFT JOIN LATERAL (
       SELECT value FROM backtest_iterations WHERE run_id = r.id AND iteration = 0 AND is_kept
       ORDER BY started_at DESC LIMIT 1) AS base ON true
     LEFT JOIN LATERAL (
       SELECT json_build_object('iteration', iteration, 'value', value, 'targetsMet', targets_met) AS best
       FROM backtest_iterations WHERE run_id = r.id AND is_kept ORDER BY started_at DESC LIMIT 1) AS best ON true
     LEFT JOIN LATERAL (
       SELECT stop_reason FROM backtest_iterations WHERE run_id = r.id AND is_kept IS NOT NULL
       ORDER BY started_at DESC LIMIT 1) AS last ON true
     WHERE counted.evaluations > 0 ${which}`,
    [value],
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}
