import type pg from 'pg';
import type { RunState } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import type { Here } from '../core/run/place.ts';
import type { Run } from '../core/run/state.ts';
import type { CommitRequest, Committer } from '../db/committer.ts';
import { FORGOTTEN } from './hosts.ts';
import { changedRows } from './projection/projection.ts';
import { readEvents, readLastSeq, readRun } from './readLog.ts';

/** A run that holds a slot of its repository and base branch. */
export interface ActiveRun {
  runId: string;
  state: RunState;
  slot: number;
}

/** The log of runs. It is the truth; everything else is derived from it. */
export interface RunLog {
  /**
   * Appends events and writes the rows they change, in one transaction. Throws as `Committer.commit`. `anyHost`: see
   * `CommitRequest`.
   */
  append(
    before: Run | undefined,
    after: Run,
    events: readonly RunEvent[],
    options?: Pick<CommitRequest, 'anyHost'>,
  ): Promise<void>;
  /** Records the report's path on the row. No event records it. */
  markReported(run: Run): Promise<void>;
  /** Events with `seq > afterSeq`, in order. */
  readEvents(runId: string, afterSeq: number, limit: number): Promise<RunEvent[]>;
  readLastSeq(runId: string): Promise<number>;
  /** The run, folded from its log; undefined if there is no log. */
  readRun(runId: string): Promise<Run | undefined>;
  /** The open runs on this host of a repository (git's common directory) and base branch, by slot. */
  listActive(repository: string, baseBranch: string, here: Here): Promise<ActiveRun[]>;
  /** Open runs, and ended runs without a report, unless their host was forgotten: only that host could write it. */
  listUnfinished(): Promise<string[]>;
}

const ATTEMPTS = 3;

export function createRunLog(pool: pg.Pool, committer: Committer): RunLog {
  /** Retries a commit after a serialization conflict. A repeated commit is never written twice. */
  async function commit(transition: CommitRequest): Promise<number[]> {
    for (let turn = 1; ; turn += 1) {
      try {
        return (await committer.commit(transition)).seqs;
      } catch (error) {
        const again = error instanceof DevflowError && error.code === 'db_serialization_retry';
        if (!again || turn >= ATTEMPTS) throw error;
      }
    }
  }

  return {
    readEvents: (runId, afterSeq, limit) => readEvents(pool, runId, afterSeq, limit),
    async append(before, after, events, { anyHost } = {}) {
      const seqs = await commit({
        runId: after.id,
        anyHost,
        expectedSeq: before?.lastSeq ?? 0,
        events: events.map(({ type, phaseId, idempotencyKey, payload, ts }) => ({
          type,
          phaseId,
          key: idempotencyKey,
          payload,
          ts,
        })),
        rows: changedRows(before, after),
      });
      // Another daemon recorded the same, but somewhere else in the log.
      if (events.some(({ seq }, nth) => seq !== seqs[nth]))
        throw new DevflowError('run_moved', 'Another daemon wrote the same events first.', { runId: after.id });
    },
    async markReported(run) {
      const rows = changedRows({ ...run, reportPath: null }, run);
      await committer.commit({ runId: run.id, expectedSeq: run.lastSeq, events: [], rows });
    },
    readLastSeq: (runId) => readLastSeq(pool, runId),
    readRun: (runId) => readRun(pool, runId),
    async listActive(repository, baseBranch, { id, unpinned }) {
      const { rows } = await pool.query(
        `SELECT id AS "runId", state, slot FROM runs
         WHERE coalesce(host, $4) = $3 AND repository = $1 AND base_branch = $2
           AND state NOT IN ('completed', 'failed', 'aborted') ORDER BY slot`,
        [repository, baseBranch, id, unpinned],
      );
      return rows;
    },
    async listUnfinished() {
      const { rows } = await pool.query(
        `SELECT id FROM runs
         WHERE state NOT IN ('completed', 'failed', 'aborted') OR (final_report_path IS NULL AND NOT EXISTS (
           SELECT FROM daemon_lease l WHERE l.stopped_at = ${FORGOTTEN}
             AND (l.host = runs.host OR (runs.host IS NULL AND l.led_alone))))
         ORDER BY created_at, id`,
      );
      return rows.map((row) => row.id);
    },
  };
}
