import type pg from 'pg';
import type { HostState, RunState } from '../../schemas/enums.ts';
import { IS_STOPPED, SILENT_MS } from '../db/leaseBeat.ts';

/** The daemon of a host, as its lease tells. */
export interface HostRow {
  id: string;
  state: HostState;
  machine: string | null;
  version: string | null;
  pid: number;
  lastSeenAt: string;
  /** The lead of its clock over the database's then. */
  clockSkewMs: number | null;
  /** Since its last sign of life, by the database's clock. */
  silentMs: number;
}

/** `stopped_at` of a host that a person forgot. Its row stays: epochs must never come twice. */
export const FORGOTTEN = `'infinity'`;

/** All hosts that ever had a daemon on this database and were not forgotten, by id. */
export async function listHosts(pool: pg.Pool): Promise<HostRow[]> {
  const { rows } = await pool.query(
    `SELECT host AS id, machine, version, pid, beat_at AS "lastSeenAt", clock_skew_ms::float8 AS "clockSkewMs",
       ${IS_STOPPED} AS stopped,
       greatest(0, extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"
     FROM daemon_lease WHERE stopped_at IS DISTINCT FROM ${FORGOTTEN} ORDER BY host`,
  );
  return rows.map(({ stopped, lastSeenAt, ...row }) => ({
    ...row,
    state: stopped ? 'stopped' : row.silentMs > SILENT_MS ? 'silent' : 'ready',
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}

/** The number of open runs of each host; the key of those without a host is null. */
export async function countOpenRuns(pool: pg.Pool): Promise<Map<string | null, number>> {
  const { rows } = await pool.query(
    `SELECT host, count(*)::int AS runs FROM runs WHERE state NOT IN ('completed', 'failed', 'aborted') GROUP BY host`,
  );
  return new Map(rows.map(({ host, runs }) => [host, runs]));
}

/** The host of a run, as it was recorded; undefined if there is no such run. */
export async function readHostOfRun(pool: pg.Pool, runId: string): Promise<string | null | undefined> {
  const { rows } = await pool.query('SELECT host FROM runs WHERE id = $1', [runId]);
  return rows[0]?.host;
}

/** The same of a schedule. */
export async function readHostOfSchedule(pool: pg.Pool, scheduleId: string): Promise<string | null | undefined> {
  const { rows } = await pool.query('SELECT host FROM schedules WHERE id = $1', [scheduleId]);
  return rows[0]?.host;
}

export interface OpenRunRow {
  runId: string;
  state: RunState;
  template: string;
  repoPath: string;
}

/** The open runs of a host, newest first. `isUnpinned`: with those that name no host. */
export async function listOpenRunsOf(pool: pg.Pool, host: string, isUnpinned: boolean): Promise<OpenRunRow[]> {
  const { rows } = await pool.query(
    `SELECT r.id AS "runId", r.state, t.name || '@' || t.version AS template, r.repo_path AS "repoPath"
     FROM runs r JOIN workflow_templates t ON t.id = r.template_id
     WHERE r.state NOT IN ('completed', 'failed', 'aborted') AND (r.host = $1 OR ($2 AND r.host IS NULL))
     ORDER BY r.created_at DESC, r.id`,
    [host, isUnpinned],
  );
  return rows;
}

/**
 * Takes a host out of the list until it has a daemon again. Fences a daemon that it may still have. Another machine may
 * take its id. Returns false for a host that is up.
 */
export async function forgetHost(pool: pg.Pool, host: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE daemon_lease SET epoch = (SELECT max(epoch) + 1 FROM daemon_lease), stopped_at = ${FORGOTTEN}, installation = NULL
     WHERE host = $1 AND (${IS_STOPPED} OR clock_timestamp() - beat_at > $2 * interval '1 millisecond')`,
    [host, SILENT_MS],
  );
  return rowCount === 1;
}

/** The same for a daemon's methods. */
export const hostReadsOf = (pool: pg.Pool) => ({
  listHosts: () => listHosts(pool),
  countOpenRuns: () => countOpenRuns(pool),
  listOpenRunsOf: (host: string, isUnpinned: boolean) => listOpenRunsOf(pool, host, isUnpinned),
  forgetHost: (host: string) => forgetHost(pool, host),
});
