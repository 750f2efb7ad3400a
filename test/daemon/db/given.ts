import { randomUUID } from 'node:crypto';
import type { CommitEvent, CommitRequest } from '../../../daemon/db/committer.ts';
import type { Database } from '../../../daemon/db/database.ts';
import type { RowOf } from '../../../daemon/db/schema/projected.ts';

/** A template that runs can refer to; its id. */
export async function givenTemplate(database: Database): Promise<string> {
  const { rows } = await database.pool.query(
    `INSERT INTO workflow_templates (name, version, hash, definition) VALUES ('t', 1, 'h', '{}') RETURNING id`,
  );
  return rows[0].id;
}

/** A whole projected row of `runs`, in a separate repository. */
export function runRow(templateId: string, over: Partial<RowOf<'runs'>> = {}): RowOf<'runs'> {
  const id = over.id ?? randomUUID();
  return {
    template_id: templateId,
    template_hash: 'h',
    state: 'created',
    repo_path: `/repo/${id}`,
    repository: `${over.repo_path ?? `/repo/${id}`}/.git`,
    base_branch: 'main',
    slot: 0,
    host: null,
    title: null,
    worktree_root: `/work/${id}`,
    current_phase_id: null,
    started_at: null,
    ended_at: null,
    applied_at: null,
    final_report_path: null,
    paused_from_state: null,
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: null,
    ...over,
    id,
  };
}

export function event(key: string, over: Partial<CommitEvent> = {}): CommitEvent {
  return { type: 'run.tested', phaseId: null, key, payload: { key }, ...over };
}

/** The transition that makes a run. */
export function creation(row: { id: string }, over: Partial<CommitRequest> = {}): CommitRequest {
  return { runId: row.id, expectedSeq: 0, events: [event('created')], rows: { runs: [row] }, ...over };
}

/** Runs that exist, each with one event; their ids. */
export async function givenRuns(database: Database, count: number): Promise<string[]> {
  const templateId = await givenTemplate(database);
  const rows = Array.from({ length: count }, () => runRow(templateId));
  await database.pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify(rows.map((row) => creation(row)))]);
  return rows.map((row) => row.id);
}

/** Lets each write of a table fail as Postgres fails at a damaged page. */
export async function givenDamage(pool: Database['pool'], table: string, write: 'INSERT' | 'UPDATE'): Promise<void> {
  await pool.query(`
    CREATE FUNCTION read_damage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'invalid page in block 0 of relation base/5/1' USING ERRCODE = 'XX001';
    END $$;
    CREATE TRIGGER damage BEFORE ${write} ON ${table} FOR EACH ROW EXECUTE FUNCTION read_damage()`);
}
