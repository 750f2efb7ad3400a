import type pg from 'pg';
import { parseEventPayload, type RunEvent } from '../../schemas/events/index.ts';
import { replay } from '../core/replay.ts';
import type { Run } from '../core/run/state.ts';

/** The pool, or one connection in a transaction. */
export type Queries = Pick<pg.ClientBase, 'query'>;

const PAGE = 1_000;

/** Events with `seq > afterSeq`, in order. */
export async function readEvents(db: Queries, runId: string, afterSeq: number, limit: number): Promise<RunEvent[]> {
  const { rows } = await db.query({
    name: 'run_events_after',
    text: `SELECT run_id, phase_id, seq, type, payload, idempotency_key, ts
      FROM run_events WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    values: [runId, afterSeq, limit],
  });
  return rows.map(toEvent);
}

export async function readLastSeq(db: Queries, runId: string): Promise<number> {
  const { rows } = await db.query('SELECT coalesce(max(seq), 0) AS seq FROM run_events WHERE run_id = $1', [runId]);
  return Number(rows[0].seq);
}

/** The run, folded from its log; undefined if there is no log. */
export async function readRun(db: Queries, runId: string): Promise<Run | undefined> {
  const run = replay(await readAll(db, runId));
  if (!run) return undefined;
  const { rows } = await db.query('SELECT final_report_path FROM runs WHERE id = $1', [runId]);
  return { ...run, reportPath: rows[0]?.final_report_path ?? null };
}

async function readAll(db: Queries, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await readEvents(db, runId, events.at(-1)?.seq ?? 0, PAGE);
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

/** Validates a row on entry: an invalid payload throws before anything uses it. */
function toEvent(row: Record<string, unknown>): RunEvent {
  return {
    runId: row.run_id,
    seq: Number(row.seq),
    type: row.type,
    phaseId: row.phase_id,
    payload: parseEventPayload(String(row.type), row.payload),
    idempotencyKey: row.idempotency_key,
    ts: (row.ts as Date).toISOString(),
  } as RunEvent;
}
