import type pg from 'pg';
import { type ApprovalState, type RunState, TERMINAL_LANE_STATES, TERMINAL_RUN_STATES } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { gateFacts } from '../../schemas/gates/gateKinds.ts';
import { GATE_KINDS } from '../../schemas/names.ts';
import type { ApprovalSummary } from '../../schemas/rpc/views/approval.ts';
import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import type { LastBackend } from '../core/binding/rememberBackends.ts';
import { IS_WANTED, type ListFilter, shownTitle, TITLE, WITH_INPUT, wantedParams } from './listFilter.ts';
import { createReviewRows } from './reviewOutcomes.ts';

/** No row says whom a run waits for. */
type RunRow = Omit<RunSummary, 'waitingFor' | 'waitsForPerson' | 'host'> & { host: string | null };

/** The rows that lists show. */
export interface Lists {
  /** The open runs and the newest `limit` runs, newest first; without a limit, all runs. */
  listRuns(filter: ListFilter & { state?: RunState; limit?: number }): Promise<RunRow[]>;
  /** The same for gates. Without `all` or a state, only gates that wait for a decision. */
  listApprovals(
    filter: ListFilter & { runId?: string; state?: ApprovalState; all?: boolean; limit?: number },
  ): Promise<ApprovalSummary[]>;
  /** The length of a list without its limit. */
  countListed(
    of: keyof typeof LISTED,
    filter: ListFilter & { runId?: string; state?: string; all?: boolean },
  ): Promise<number>;
  countRuns(): Promise<Partial<Record<RunState, number>>>;
  countPendingApprovals(): Promise<number>;
  listRunIds(): Promise<string[]>;
  /** The full id for a prefix. Throws `not_found`, or `ambiguous_id` with the candidates. */
  resolve(kind: keyof typeof TABLES, ref: string): Promise<string>;
  /** The run that an approval, session or artifact belongs to. */
  runOf(kind: Exclude<keyof typeof TABLES, 'run' | 'schedule'>, id: string): Promise<string>;
}

const TABLES = {
  run: 'runs',
  approval: 'approval_requests',
  session: 'tui_sessions',
  artifact: 'artifacts',
  schedule: 'schedules',
} as const;

const inSql = (states: readonly string[]) => states.map((state) => `'${state}'`).join(', ');
const OVER = inSql(TERMINAL_RUN_STATES);
const IS_ENDED = `r.state IN (${OVER}) OR l.state IN (${inSql(TERMINAL_LANE_STATES)})`;

/** The agent's words, of the gates of each kind. */
const SAID = GATE_KINDS.flatMap((kind) => {
  const { said } = gateFacts({ kind });
  return said === null ? [] : `WHEN '${kind}' THEN a.payload->'subject'->>'${said}'`;
}).join(' ');

/** The rows of a list before its limit: $1 is a run, $2 a state, $3 includes decided gates, and `IS_WANTED` has the rest. */
const UNDECIDED = `a.state IN ('pending', 'paused')`;
const LISTED = {
  runs: `($1::uuid IS NULL OR r.id = $1) AND ($2::text IS NULL OR r.state = $2) AND $3::boolean IS NOT NULL
    AND ${IS_WANTED}`,
  approvals: `($1::uuid IS NULL OR a.run_id = $1) AND ($2::text IS NULL OR a.state = $2)
    AND ($3::boolean OR $2::text IS NOT NULL OR ${UNDECIDED}) AND ${IS_WANTED}`,
  sessions: `($1::uuid IS NULL OR s.run_id = $1) AND $3::boolean IS NOT NULL
    AND ($2::text IS NULL OR CASE WHEN ${IS_ENDED} THEN 'ENDED' ELSE s.state END = $2) AND ${IS_WANTED}`,
};

export function createLists(pool: pg.Pool): Lists {
  const readReviewRows = createReviewRows(pool);

  async function resolve(kind: keyof typeof TABLES, ref: string): Promise<string> {
    const prefix = ref.toLowerCase();
    if (!/^[0-9a-f][0-9a-f-]{0,35}$/.test(prefix)) throw new DevflowError('not_found', `There is no ${kind} ${ref}.`);
    const { rows } = await pool.query(
      `SELECT id::text FROM ${TABLES[kind]} WHERE id::text LIKE $1 || '%' ORDER BY id LIMIT 5`,
      [prefix],
    );
    const [first, second] = rows;
    if (!first) throw new DevflowError('not_found', `There is no ${kind} ${ref}.`);
    if (!second) return first.id;
    const candidates = rows.map((row) => row.id);
    throw new DevflowError('ambiguous_id', `Several ids start with ${ref}: ${candidates.join(', ')}.`, {
      data: { candidates },
    });
  }

  return {
    resolve,
    async runOf(kind, id) {
      const { rows } = await pool.query(`SELECT run_id FROM ${TABLES[kind]} WHERE id = $1`, [id]);
      if (!rows[0]) throw new DevflowError('not_found', `There is no ${kind} ${id}.`);
      return rows[0].run_id;
    },
    async listRuns({ state, limit, ...wanted }) {
      const { rows } = await pool.query(
        `SELECT r.id AS "runId", ${TITLE}, r.state, t.name || '@' || t.version AS template, r.repo_path AS "repoPath",
           r.host, r.base_branch AS "baseBranch", p.phase_key AS "currentPhase", r.created_at AS "createdAt",
           r.ended_at AS "endedAt", r.applied_at AS "appliedAt", progress
         FROM runs r JOIN workflow_templates t ON t.id = r.template_id ${WITH_INPUT}
         CROSS JOIN LATERAL (
           SELECT json_build_object('done', count(*) FILTER (WHERE state IN ('completed', 'skipped')),
             'total', count(*)) AS progress
           FROM run_phases WHERE run_id = r.id) AS counted
         LEFT JOIN run_phases p ON p.id = r.current_phase_id
         WHERE ${LISTED.runs} AND (r.state NOT IN (${OVER}) OR r.id IN (
           SELECT r.id FROM runs r ${WITH_INPUT} WHERE ${LISTED.runs}
           ORDER BY r.created_at DESC, r.id LIMIT $6))
         ORDER BY r.created_at DESC, r.id`,
        [null, state ?? null, true, ...wantedParams(wanted), limit ?? null],
      );
      const reviewRowOf = await readReviewRows(rows);
      return rows.map((row) => withTimes<RunRow>({ ...titled(row, 'title'), ...reviewRowOf(row) }));
    },
    async listApprovals({ runId, state, all = false, limit, ...wanted }) {
      const { rows } = await pool.query(
        `SELECT a.id, a.run_id AS "runId", ${TITLE}, a.gate_key AS "gateKey", a.payload->>'kind' AS kind,
           a.payload->>'phaseKey' AS "phaseKey", a.payload->>'assignment' AS assignment,
           a.payload->>'laneId' AS "laneId", (a.payload->>'attempt')::int AS attempt,
           coalesce(a.payload->'subject'->>'words', CASE a.payload->>'kind' ${SAID} END) AS words, a.state,
           a.created_at AS "createdAt", a.resolved_at AS "resolvedAt"
         FROM approval_requests a JOIN runs r ON r.id = a.run_id ${WITH_INPUT}
         WHERE ${LISTED.approvals} AND (${UNDECIDED} OR a.id IN (
           SELECT a.id FROM approval_requests a JOIN runs r ON r.id = a.run_id ${WITH_INPUT} WHERE ${LISTED.approvals}
           ORDER BY a.created_at DESC, a.id LIMIT $6))
         ORDER BY a.created_at DESC, a.id`,
        [runId ?? null, state ?? null, all, ...wantedParams(wanted), limit ?? null],
      );
      return rows.map(({ words, ...row }) =>
        withTimes<ApprovalSummary>(titled(words === null ? row : { ...row, words }, 'runTitle')),
      );
    },
    async countListed(of, { runId, state, all = false, ...wanted }) {
      const table = {
        runs: 'runs r',
        approvals: 'approval_requests a JOIN runs r ON r.id = a.run_id',
        sessions: `tui_sessions s JOIN runs r ON r.id = s.run_id
          LEFT JOIN lanes l ON l.run_id = s.run_id AND l.lane_id = s.lane_id`,
      }[of];
      const { rows } = await pool.query(
        `SELECT count(*)::int AS total FROM ${table} ${WITH_INPUT} WHERE ${LISTED[of]}`,
        [...[runId ?? null, state ?? null, all], ...wantedParams(wanted)],
      );
      return rows[0].total;
    },
    async countRuns() {
      const { rows } = await pool.query('SELECT state, count(*)::int AS count FROM runs GROUP BY state');
      return Object.fromEntries(rows.map((row) => [row.state, row.count]));
    },
    async countPendingApprovals() {
      const { rows } = await pool.query(`SELECT count(*)::int AS count FROM approval_requests WHERE state = 'pending'`);
      return rows[0].count;
    },
    async listRunIds() {
      const { rows } = await pool.query('SELECT id FROM runs');
      return rows.map((row) => row.id);
    },
  };
}

function titled(
  { title, requirements, ...row }: Record<string, unknown>,
  name: 'title' | 'runTitle',
): Record<string, unknown> {
  return { ...row, [name]: shownTitle(title as string | null, requirements as string | null) };
}

function withTimes<T>(row: Record<string, unknown>): T {
  const iso = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, iso(value)])) as T;
}

/** The newest real backend of each role: `fake` is for rehearsals. `repositories`: the values that one repository may have as key. */
export type ReadLastBackends = (repositories: readonly string[]) => Promise<LastBackend[]>;

export function lastBackendsIn(pool: pg.Pool): ReadLastBackends {
  return async (repositories) => {
    const { rows } = await pool.query(
      `SELECT DISTINCT ON (b.role_id) b.role_id AS "roleId", b.backend, r.id AS "runId"
       FROM run_bindings b JOIN runs r ON r.id = b.run_id
       WHERE r.repository = ANY ($1) AND b.backend <> 'fake' ORDER BY b.role_id, r.created_at DESC, r.id`,
      [repositories],
    );
    return rows;
  };
}
