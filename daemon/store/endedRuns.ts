import type pg from 'pg';
import { TERMINAL_RUN_STATES } from '../../schemas/enums.ts';
import { shownTitle, TITLE, WITH_INPUT } from './listFilter.ts';

/** A run that has ended, with the places of its worktrees. They may be gone. */
export interface EndedRow {
  runId: string;
  title: string;
  host: string | null;
  repoPath: string;
  worktrees: string[];
}

const OVER = TERMINAL_RUN_STATES.map((state) => `'${state}'`).join(', ');

/** The ended runs, oldest first. */
export type ListEnded = (filter: {
  /** Only runs that ended at least so long ago. */
  olderThanMs?: number;
  /** The values that a repository may have as key or path. */
  repository?: readonly string[];
}) => Promise<EndedRow[]>;

export function endedRunsIn(pool: Pick<pg.Pool, 'query'>): ListEnded {
  return async ({ olderThanMs, repository }) => {
    const { rows } = await pool.query(
      `SELECT r.id AS "runId", ${TITLE}, r.host, r.repo_path AS "repoPath",
         array_prepend(r.worktree_root, ARRAY(SELECT l.path FROM lanes l WHERE l.run_id = r.id ORDER BY l.path))
           AS worktrees
       FROM runs r ${WITH_INPUT}
       WHERE r.state IN (${OVER})
         AND ($1::float8 IS NULL OR r.ended_at <= now() - $1::float8 * interval '1 millisecond')
         AND ($2::text[] IS NULL OR r.repository = ANY ($2) OR r.repo_path = ANY ($2))
       ORDER BY r.ended_at, r.id`,
      [olderThanMs ?? null, repository ?? null],
    );
    return rows.map(({ title, requirements, worktrees, ...row }) => ({
      ...row,
      title: shownTitle(title, requirements),
      worktrees: [...new Set<string>(worktrees)],
    }));
  };
}

/** The open runs that started from a branch of devflow, by its name, which has the id of another run. */
export type ReadBases = () => Promise<ReadonlyMap<string, string>>;

export function basesIn(pool: Pick<pg.Pool, 'query'>): ReadBases {
  return async () => {
    const { rows } = await pool.query(
      `SELECT base_branch AS base, id FROM runs WHERE state NOT IN (${OVER}) AND base_branch LIKE 'devflow/%' ORDER BY id`,
    );
    return new Map(rows.map(({ base, id }) => [base, id]));
  };
}
