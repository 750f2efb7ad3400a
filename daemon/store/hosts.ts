import type pg from 'pg';
import type { HostState } from '../../schemas/enums.ts';

/** The daemon of a host, as its lease tells. */
export interface HostRow {
  id: string;
  state: HostState;
  machine: string | null;
  version: string | null;
  pid: number;
  lastSeenAt: string;
  /** How far its clock was ahead of the database's then. */
  clockSkewMs: number | null;
  /** Since its last sign of life, by the database's clock. */
  silentMs: number;
}

/** Three beats and some time for a loaded machine. */
const SILENT_MS = 5_000;

/** All hosts that ever had a daemon on this database, by id. */
export async function listHosts(pool: pg.Pool): Promise<HostRow[]> {
  const { rows } = await pool.query(
    `SELECT host AS id, machine, version, pid, beat_at AS "lastSeenAt", clock_skew_ms::float8 AS "clockSkewMs",
       stopped_at IS NOT NULL OR epoch = 0 AS stopped,
       greatest(0, extract(epoch FROM clock_timestamp() - beat_at) * 1000)::float8 AS "silentMs"
     FROM daemon_lease ORDER BY host`,
  );
  return rows.map(({ stopped, lastSeenAt, ...row }) => ({
    ...row,
    state: stopped ? 'stopped' : row.silentMs > SILENT_MS ? 'silent' : 'ready',
    lastSeenAt: lastSeenAt.toISOString(),
  }));
}

/** How many open runs each host has; the key of those without a host is null. */
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
