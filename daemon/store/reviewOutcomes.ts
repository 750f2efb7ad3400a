import type pg from 'pg';
import { defined } from '../../schemas/defined.ts';
import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import { outcomeFrom } from '../kinds/review/reviewOutcome.ts';
import { verdictFrom } from '../kinds/review/reviewSummaries.ts';
import type { ReviewRound } from '../kinds/review/state.ts';

/** What the row of a run says beside its state, if all its phases are reviews. */
type ReviewRow = Pick<RunSummary, 'outcome' | 'onlyReviews'>;

/** Templates of reviews alone. A third role of a review fixes what the others find. */
const REVIEWING = `
  SELECT id, definition, NOT jsonb_path_exists(definition, '$.phases[*] ? (@.roles.size() > 2)') AS "onlyReviews"
  FROM workflow_templates
  WHERE jsonb_path_exists(definition, '$.phases[*]')
    AND NOT jsonb_path_exists(definition, '$.phases[*] ? (!(@.kind == "review"))')`;

/** A person may skip a phase in the middle of a round: then its newest round has no outcome. */
const NEWEST_ROUND = `
  SELECT e.payload->>'outcome' AS outcome, e.payload->'round' AS round FROM run_events e
  WHERE e.run_id = r.id AND e.phase_id = p.id AND e.type IN ('iteration.started', 'iteration.completed')
  ORDER BY e.seq DESC LIMIT 1`;

const FAILED_CHECKS = `
  SELECT count(*) FROM run_events c CROSS JOIN jsonb_array_elements(c.payload->'results') result
  WHERE c.run_id = r.id AND c.phase_id = p.id AND c.type = 'review.checked' AND c.payload->>'what' = 'checks'
    AND c.payload->'round' = v.round AND result->'exitCode' IS DISTINCT FROM '0'::jsonb`;

const BLOCKERS = `
  SELECT count(*) FROM review_findings f WHERE f.run_id = r.id AND f.details->'isBlocker' = 'true'::jsonb`;

/** As with its log, the first two roles of a phase are its reviewers and verifiers. */
const HAS_FAKE = `
  SELECT FROM run_bindings b CROSS JOIN jsonb_array_elements(t.definition->'phases') phase
  WHERE b.run_id = r.id AND b.backend = 'fake'
    AND split_part(b.role_id, '#', 1) IN (phase->'roles'->>0, phase->'roles'->>1)`;

/** Reads what rows of lists say of runs that only review: the same as `reviewOutcome` says from their logs. */
export function createReviewRows(pool: pg.Pool): (runs: readonly Listed[]) => Promise<(run: Listed) => ReviewRow> {
  // Nothing of it changes once a run is completed, and a template never changes.
  const known = new Map<string, ReviewRow>();
  const keyOf = ({ runId, state }: Listed) => `${runId}:${state === 'completed'}`;
  return async (runs) => {
    const missing = runs.filter((run) => !known.has(keyOf(run)));
    const found = missing.length > 0 ? await read(pool, missing) : new Map<string, ReviewRow>();
    for (const run of missing) known.set(keyOf(run), found.get(run.runId) ?? {});
    return (run) => known.get(keyOf(run)) ?? {};
  };
}

type Listed = Pick<RunSummary, 'runId' | 'state'>;

async function read(pool: pg.Pool, runs: readonly Listed[]): Promise<Map<string, ReviewRow>> {
  const { rows } = await pool.query(
    `WITH reviewing AS MATERIALIZED (${REVIEWING})
     SELECT r.id, t."onlyReviews", found.*
     FROM runs r JOIN reviewing t ON t.id = r.template_id
     LEFT JOIN LATERAL (
       SELECT json_agg(v.outcome) AS outcomes, EXISTS (${HAS_FAKE}) AS "isRehearsal",
         ((${BLOCKERS}) + sum((${FAILED_CHECKS})))::int AS blockers
       FROM run_phases p LEFT JOIN LATERAL (${NEWEST_ROUND}) v ON true WHERE p.run_id = r.id
     ) found ON r.state = 'completed'
     WHERE r.id = ANY ($1)`,
    [runs.map(({ runId }) => runId)],
  );
  return new Map(rows.map(({ id, ...row }) => [id, reviewRow(row)]));
}

/** Without a completed run, all but `onlyReviews` is null. */
interface Found {
  onlyReviews: boolean;
  /** Of the newest round of each phase. */
  outcomes: ReviewRound['outcome'][] | null;
  blockers: number | null;
  isRehearsal: boolean | null;
}

function reviewRow({ onlyReviews, outcomes, blockers, isRehearsal }: Found): ReviewRow {
  const verdicts = (outcomes ?? []).map(verdictFrom);
  const outcome = outcomeFrom({ verdicts, blockers: blockers ?? 0, isRehearsal: isRehearsal ?? false });
  return defined({ outcome, onlyReviews: onlyReviews || undefined });
}
