ALTER TABLE "runs" ADD COLUMN "applied_at" timestamp (3) with time zone;--> statement-breakpoint
-- Upserts the rows of transitions, set by set and parents first. p_rows[i] belongs to the i-th transition; of a row that
-- several transitions carry the last one stands (ON CONFLICT may not touch a row twice). Whole projected rows only: a
-- column left out is set to null. One pair of DISTINCT ON and ORDER BY keeps the callers' order, which matters where one
-- run's end makes room for another's beginning (ux_active_run_repo_base).
CREATE OR REPLACE FUNCTION devflow_put_rows(p_rows jsonb[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
  v_tables text[] := ARRAY(SELECT DISTINCT jsonb_object_keys(x) FROM unnest(p_rows) x);
BEGIN
  IF 'runs' = ANY (v_tables) THEN
    INSERT INTO runs AS old (id, template_id, template_hash, state, repo_path, repository, base_branch, slot, host,
      title, worktree_root, current_phase_id, started_at, ended_at, applied_at, final_report_path, paused_from_state,
      created_at, updated_at)
    SELECT id, template_id, template_hash, state, repo_path, repository, base_branch, coalesce(slot, 0), host, title,
      worktree_root, current_phase_id, started_at, ended_at, applied_at, final_report_path, paused_from_state,
      coalesce(created_at, now()), updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::runs, x.j->'runs') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET template_id = excluded.template_id, template_hash = excluded.template_hash,
      state = excluded.state, repo_path = excluded.repo_path, repository = excluded.repository,
      base_branch = excluded.base_branch, slot = excluded.slot, host = excluded.host, title = excluded.title,
      worktree_root = excluded.worktree_root, current_phase_id = excluded.current_phase_id,
      started_at = excluded.started_at, ended_at = excluded.ended_at, applied_at = excluded.applied_at,
      final_report_path = excluded.final_report_path, paused_from_state = excluded.paused_from_state,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'run_inputs' = ANY (v_tables) THEN
    INSERT INTO run_inputs AS old (id, run_id, requirements_md, objective, extra, input_hash)
    SELECT id, run_id, requirements_md, objective, extra, input_hash
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::run_inputs, x.j->'run_inputs') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET requirements_md = excluded.requirements_md, objective = excluded.objective,
      extra = excluded.extra, input_hash = excluded.input_hash;
  END IF;

  IF 'run_bindings' = ANY (v_tables) THEN
    INSERT INTO run_bindings AS old (id, run_id, role_id, persona_id, persona_hash, backend, binding_hash)
    SELECT id, run_id, role_id, persona_id, persona_hash, backend, binding_hash
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::run_bindings, x.j->'run_bindings') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET role_id = excluded.role_id, persona_id = excluded.persona_id,
      persona_hash = excluded.persona_hash, backend = excluded.backend, binding_hash = excluded.binding_hash;
  END IF;

  IF 'run_phases' = ANY (v_tables) THEN
    INSERT INTO run_phases AS old (id, run_id, phase_key, seq, state, attempts, started_at, ended_at, updated_at)
    SELECT id, run_id, phase_key, seq, state, coalesce(attempts, 0), started_at, ended_at, updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::run_phases, x.j->'run_phases') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_key = excluded.phase_key, seq = excluded.seq, state = excluded.state,
      attempts = excluded.attempts, started_at = excluded.started_at, ended_at = excluded.ended_at,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'approval_requests' = ANY (v_tables) THEN
    INSERT INTO approval_requests AS old (id, run_id, phase_id, gate_key, state, idempotency_key, payload, created_at,
      resolved_at, updated_at)
    SELECT id, run_id, phase_id, gate_key, state, idempotency_key, payload, coalesce(created_at, now()), resolved_at,
      updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::approval_requests, x.j->'approval_requests') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_id = excluded.phase_id, gate_key = excluded.gate_key, state = excluded.state,
      idempotency_key = excluded.idempotency_key, payload = excluded.payload, resolved_at = excluded.resolved_at,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'approval_decisions' = ANY (v_tables) THEN
    INSERT INTO approval_decisions (id, approval_request_id, action, comment, decided_at, idempotency_key)
    SELECT r.id, r.approval_request_id, r.action, r.comment, coalesce(r.decided_at, now()), r.idempotency_key
    FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::approval_decisions, x.j->'approval_decisions') r ORDER BY x.n
    ON CONFLICT (id) DO NOTHING;
  END IF;

  IF 'lanes' = ANY (v_tables) THEN
    INSERT INTO lanes AS old (id, run_id, lane_id, phase_id, role_id, path, branch, base, head, state, updated_at)
    SELECT id, run_id, lane_id, phase_id, role_id, path, branch, base, head, state, updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::lanes, x.j->'lanes') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_id = excluded.phase_id, role_id = excluded.role_id, path = excluded.path,
      branch = excluded.branch, base = excluded.base, head = excluded.head, state = excluded.state,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'lane_tasks' = ANY (v_tables) THEN
    DELETE FROM lane_tasks WHERE id IN (SELECT id
      FROM (SELECT DISTINCT ON (r.id) r.id, r.run_id FROM unnest(p_rows) WITH ORDINALITY x(j, n),
        jsonb_populate_recordset(NULL::lane_tasks, x.j->'lane_tasks') r ORDER BY r.id, x.n DESC) latest
      WHERE run_id IS NULL);
    INSERT INTO lane_tasks AS old (id, run_id, phase_id, task_id, lane_id, title, state, seq, definition, work,
      updated_at)
    SELECT id, run_id, phase_id, task_id, lane_id, title, state, seq, definition, work, updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::lane_tasks, x.j->'lane_tasks') r ORDER BY r.id, x.n DESC) latest
    WHERE run_id IS NOT NULL ORDER BY n
    ON CONFLICT (id) DO UPDATE SET lane_id = excluded.lane_id, title = excluded.title, state = excluded.state,
      seq = excluded.seq, definition = excluded.definition, work = excluded.work,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'review_findings' = ANY (v_tables) THEN
    DELETE FROM review_findings WHERE id IN (SELECT id
      FROM (SELECT DISTINCT ON (r.id) r.id, r.run_id FROM unnest(p_rows) WITH ORDINALITY x(j, n),
        jsonb_populate_recordset(NULL::review_findings, x.j->'review_findings') r ORDER BY r.id, x.n DESC) latest
      WHERE run_id IS NULL);
    INSERT INTO review_findings AS old (id, run_id, phase_id, reviewer_role, severity, category, file_path, line,
      summary, evidence, verifier_status, state, details, created_at, updated_at)
    SELECT id, run_id, phase_id, reviewer_role, severity, category, file_path, line, summary, evidence, verifier_status,
      state, details, coalesce(created_at, now()), updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::review_findings, x.j->'review_findings') r ORDER BY r.id, x.n DESC) latest
    WHERE run_id IS NOT NULL ORDER BY n
    ON CONFLICT (id) DO UPDATE SET reviewer_role = excluded.reviewer_role, severity = excluded.severity,
      category = excluded.category, file_path = excluded.file_path, line = excluded.line, summary = excluded.summary,
      evidence = excluded.evidence, verifier_status = excluded.verifier_status, state = excluded.state,
      details = excluded.details, updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'backtest_iterations' = ANY (v_tables) THEN
    INSERT INTO backtest_iterations AS old (id, run_id, phase_id, attempt, iteration, commit, tree, status, is_kept,
      value, deviation, gain, needed, targets_met, reason, stop_reason, hypothesis, details, started_at, ended_at,
      created_at, updated_at)
    SELECT id, run_id, phase_id, attempt, iteration, commit, tree, status, is_kept, value, deviation, gain, needed,
      targets_met, reason, stop_reason, hypothesis, details, started_at, ended_at, coalesce(created_at, now()),
      updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::backtest_iterations, x.j->'backtest_iterations') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, is_kept = excluded.is_kept, value = excluded.value,
      deviation = excluded.deviation, gain = excluded.gain, needed = excluded.needed,
      targets_met = excluded.targets_met, reason = excluded.reason, stop_reason = excluded.stop_reason,
      hypothesis = excluded.hypothesis, details = excluded.details, ended_at = excluded.ended_at,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'backtest_metrics' = ANY (v_tables) THEN
    INSERT INTO backtest_metrics (id, run_id, iteration_id, command_id, part, metrics, absent, fault, created_at)
    SELECT r.id, r.run_id, r.iteration_id, r.command_id, r.part, r.metrics, r.absent, r.fault,
      coalesce(r.created_at, now())
    FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::backtest_metrics, x.j->'backtest_metrics') r ORDER BY x.n
    ON CONFLICT (id) DO NOTHING;
  END IF;

  IF 'tui_sessions' = ANY (v_tables) THEN
    INSERT INTO tui_sessions AS old (id, run_id, role_id, lane_id, backend, cwd, expected_artifact_path,
      expected_schema, last_prompt_hash, last_prompt_at, state, recovery_attempts, updated_at)
    SELECT id, run_id, role_id, coalesce(lane_id, 'main'), backend, cwd, expected_artifact_path, expected_schema,
      last_prompt_hash, last_prompt_at, state, coalesce(recovery_attempts, 0), updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::tui_sessions, x.j->'tui_sessions') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET role_id = excluded.role_id, lane_id = excluded.lane_id, backend = excluded.backend,
      cwd = excluded.cwd, expected_artifact_path = excluded.expected_artifact_path,
      expected_schema = excluded.expected_schema, last_prompt_hash = excluded.last_prompt_hash,
      last_prompt_at = excluded.last_prompt_at, state = excluded.state, recovery_attempts = excluded.recovery_attempts,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'artifacts' = ANY (v_tables) THEN
    INSERT INTO artifacts AS old (id, run_id, phase_id, lane_id, path, stored_path, schema_id, hash, valid,
      validation_error, created_at)
    SELECT id, run_id, phase_id, coalesce(lane_id, 'main'), path, stored_path, schema_id, hash, valid, validation_error,
      coalesce(created_at, now())
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::artifacts, x.j->'artifacts') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_id = excluded.phase_id, lane_id = excluded.lane_id, path = excluded.path,
      stored_path = excluded.stored_path, schema_id = excluded.schema_id, hash = excluded.hash, valid = excluded.valid,
      validation_error = excluded.validation_error;
  END IF;

  IF 'commands' = ANY (v_tables) THEN
    INSERT INTO commands AS old (id, run_id, phase_id, lane_id, kind, argv, cwd, exit_code, stdout_path, stderr_path,
      started_at, ended_at, updated_at)
    SELECT id, run_id, phase_id, coalesce(lane_id, 'main'), kind, argv, cwd, exit_code, stdout_path, stderr_path,
      started_at, ended_at, updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::commands, x.j->'commands') r ORDER BY r.id, x.n DESC) latest
    ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_id = excluded.phase_id, lane_id = excluded.lane_id, kind = excluded.kind,
      argv = excluded.argv, cwd = excluded.cwd, exit_code = excluded.exit_code, stdout_path = excluded.stdout_path,
      stderr_path = excluded.stderr_path, started_at = excluded.started_at, ended_at = excluded.ended_at,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;
END $$;
