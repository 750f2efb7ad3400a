-- What drizzle cannot say: a deferred foreign key, append-only tables, and the one writer of run_events.

ALTER TABLE runs ADD CONSTRAINT runs_current_phase_id_run_phases_id_fk
  FOREIGN KEY (current_phase_id) REFERENCES run_phases (id) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
CREATE FUNCTION devflow_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Deeper than one: a cascade from the parent row, which is how a whole run is removed.
  IF pg_trigger_depth() > 1 THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'DF010';
END $$;
--> statement-breakpoint
CREATE TRIGGER run_events_append_only BEFORE UPDATE OR DELETE ON run_events
  FOR EACH ROW EXECUTE FUNCTION devflow_refuse_change();
--> statement-breakpoint
CREATE TRIGGER approval_decisions_append_only BEFORE UPDATE OR DELETE ON approval_decisions
  FOR EACH ROW EXECUTE FUNCTION devflow_refuse_change();
--> statement-breakpoint
-- Upserts the rows of transitions, set by set and parents first. p_rows[i] belongs to the i-th transition; of a row that
-- several transitions carry the last one stands (ON CONFLICT may not touch a row twice). Whole projected rows only: a
-- column left out is set to null. One pair of DISTINCT ON and ORDER BY keeps the callers' order, which matters where one
-- run's end makes room for another's beginning (ux_active_run_repo_base).
CREATE FUNCTION devflow_put_rows(p_rows jsonb[]) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
  v_tables text[] := ARRAY(SELECT DISTINCT jsonb_object_keys(x) FROM unnest(p_rows) x);
BEGIN
  IF 'runs' = ANY (v_tables) THEN
    INSERT INTO runs AS old (id, template_id, template_hash, state, repo_path, base_branch, worktree_root,
      current_phase_id, started_at, ended_at, final_report_path, paused_from_state, created_at, updated_at)
    SELECT id, template_id, template_hash, state, repo_path, base_branch, worktree_root, current_phase_id, started_at,
      ended_at, final_report_path, paused_from_state, coalesce(created_at, now()), updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::runs, x.j->'runs') r ORDER BY r.id, x.n DESC) latest ORDER BY n
    ON CONFLICT (id) DO UPDATE SET template_id = excluded.template_id, template_hash = excluded.template_hash,
      state = excluded.state, repo_path = excluded.repo_path, base_branch = excluded.base_branch,
      worktree_root = excluded.worktree_root, current_phase_id = excluded.current_phase_id,
      started_at = excluded.started_at, ended_at = excluded.ended_at, final_report_path = excluded.final_report_path,
      paused_from_state = excluded.paused_from_state, updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'run_inputs' = ANY (v_tables) THEN
    INSERT INTO run_inputs AS old (id, run_id, requirements_md, objective, extra, input_hash)
    SELECT id, run_id, requirements_md, objective, extra, input_hash
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::run_inputs, x.j->'run_inputs') r ORDER BY r.id, x.n DESC) latest ORDER BY n
    ON CONFLICT (id) DO UPDATE SET requirements_md = excluded.requirements_md, objective = excluded.objective,
      extra = excluded.extra, input_hash = excluded.input_hash;
  END IF;

  IF 'run_bindings' = ANY (v_tables) THEN
    INSERT INTO run_bindings AS old (id, run_id, role_id, persona_id, persona_hash, backend, binding_hash)
    SELECT id, run_id, role_id, persona_id, persona_hash, backend, binding_hash
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::run_bindings, x.j->'run_bindings') r ORDER BY r.id, x.n DESC) latest ORDER BY n
    ON CONFLICT (id) DO UPDATE SET role_id = excluded.role_id, persona_id = excluded.persona_id,
      persona_hash = excluded.persona_hash, backend = excluded.backend, binding_hash = excluded.binding_hash;
  END IF;

  IF 'run_phases' = ANY (v_tables) THEN
    INSERT INTO run_phases AS old (id, run_id, phase_key, seq, state, attempts, started_at, ended_at, updated_at)
    SELECT id, run_id, phase_key, seq, state, coalesce(attempts, 0), started_at, ended_at, updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::run_phases, x.j->'run_phases') r ORDER BY r.id, x.n DESC) latest ORDER BY n
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
    -- Immutable: the same decision again is no news. Another decision under the same key is a unique violation.
    INSERT INTO approval_decisions (id, approval_request_id, action, comment, decided_at, idempotency_key)
    SELECT r.id, r.approval_request_id, r.action, r.comment, coalesce(r.decided_at, now()), r.idempotency_key
    FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::approval_decisions, x.j->'approval_decisions') r ORDER BY x.n
    ON CONFLICT (id) DO NOTHING;
  END IF;

  IF 'tui_sessions' = ANY (v_tables) THEN
    INSERT INTO tui_sessions AS old (id, run_id, role_id, backend, cwd, expected_artifact_path, expected_schema,
      last_prompt_hash, last_prompt_at, state, recovery_attempts, updated_at)
    SELECT id, run_id, role_id, backend, cwd, expected_artifact_path, expected_schema, last_prompt_hash, last_prompt_at,
      state, coalesce(recovery_attempts, 0), updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::tui_sessions, x.j->'tui_sessions') r ORDER BY r.id, x.n DESC) latest ORDER BY n
    ON CONFLICT (id) DO UPDATE SET role_id = excluded.role_id, backend = excluded.backend, cwd = excluded.cwd,
      expected_artifact_path = excluded.expected_artifact_path, expected_schema = excluded.expected_schema,
      last_prompt_hash = excluded.last_prompt_hash, last_prompt_at = excluded.last_prompt_at, state = excluded.state,
      recovery_attempts = excluded.recovery_attempts, updated_at = coalesce(excluded.updated_at, now());
  END IF;

  IF 'artifacts' = ANY (v_tables) THEN
    INSERT INTO artifacts AS old (id, run_id, phase_id, path, stored_path, schema_id, hash, valid, validation_error,
      created_at)
    SELECT id, run_id, phase_id, path, stored_path, schema_id, hash, valid, validation_error,
      coalesce(created_at, now())
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::artifacts, x.j->'artifacts') r ORDER BY r.id, x.n DESC) latest ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_id = excluded.phase_id, path = excluded.path,
      stored_path = excluded.stored_path, schema_id = excluded.schema_id, hash = excluded.hash, valid = excluded.valid,
      validation_error = excluded.validation_error;
  END IF;

  IF 'commands' = ANY (v_tables) THEN
    INSERT INTO commands AS old (id, run_id, phase_id, kind, argv, cwd, exit_code, stdout_path, stderr_path, started_at,
      ended_at, updated_at)
    SELECT id, run_id, phase_id, kind, argv, cwd, exit_code, stdout_path, stderr_path, started_at, ended_at, updated_at
    FROM (SELECT DISTINCT ON (r.id) r.*, x.n FROM unnest(p_rows) WITH ORDINALITY x(j, n),
      jsonb_populate_recordset(NULL::commands, x.j->'commands') r ORDER BY r.id, x.n DESC) latest ORDER BY n
    ON CONFLICT (id) DO UPDATE SET phase_id = excluded.phase_id, kind = excluded.kind, argv = excluded.argv,
      cwd = excluded.cwd, exit_code = excluded.exit_code, stdout_path = excluded.stdout_path,
      stderr_path = excluded.stderr_path, started_at = excluded.started_at, ended_at = excluded.ended_at,
      updated_at = coalesce(excluded.updated_at, now());
  END IF;
END $$;
--> statement-breakpoint
-- Checks and writes transitions whose run locks are held. See devflow_commit for the contract.
CREATE FUNCTION devflow_apply(p_batch jsonb) RETURNS jsonb LANGUAGE plpgsql
  -- A plan made while a table is empty would be kept when it is not: these say index, always.
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  e record;
  v_run uuid;
  v_head bigint;
  v_seq bigint;
  -- transitions that bring something new: their place and their rows
  t_n bigint[] := '{}'; t_rows jsonb[] := '{}';
  -- new events, one array a column
  n_run uuid[] := '{}'; n_phase uuid[] := '{}'; n_seq bigint[] := '{}'; n_type text[] := '{}'; n_key text[] := '{}';
  n_payload jsonb[] := '{}'; n_ts timestamptz[] := '{}';
  -- the answer: (transition, event, seq)
  a_n bigint[] := '{}'; a_m bigint[] := '{}'; a_seq bigint[] := '{}';
BEGIN
  FOR e IN
    SELECT t.n, ev.m, t.run_id, t.expected, t.rows, ev.j->>'type' AS type, (ev.j->>'phaseId')::uuid AS phase_id,
      ev.j->>'key' AS key, ev.j->'payload' AS payload, (ev.j->>'ts')::timestamptz AS ts, old.seq AS old_seq,
      old.type = ev.j->>'type' AND old.payload = ev.j->'payload' AS same,
      coalesce(bool_and(old.seq IS NOT NULL) OVER (PARTITION BY t.n), false) AS known,
      ev.m IS NOT NULL AND count(*) OVER (PARTITION BY t.run_id, ev.j->>'key') > 1 AS twice
    FROM (SELECT n, (j->>'runId')::uuid AS run_id, (j->>'expectedSeq')::bigint AS expected, j->'rows' AS rows,
        j->'events' AS events FROM jsonb_array_elements(p_batch) WITH ORDINALITY x(j, n)) t
      LEFT JOIN LATERAL jsonb_array_elements(t.events) WITH ORDINALITY ev(j, m) ON true
      LEFT JOIN LATERAL (SELECT r.seq, r.type, r.payload FROM run_events r
        WHERE r.run_id = t.run_id AND r.idempotency_key = ev.j->>'key') old ON true
    ORDER BY t.run_id, t.n, ev.m
  LOOP
    IF e.twice THEN
      IF jsonb_array_length(p_batch) = 1 THEN
        RAISE EXCEPTION 'run %: key % occurs twice in one transition', e.run_id, e.key USING ERRCODE = 'DF002';
      END IF;
      -- Two transitions of the batch share a key: one after the other, so that the second meets the first's event.
      RETURN (SELECT jsonb_agg(devflow_apply(jsonb_build_array(j))->0 ORDER BY n)
        FROM jsonb_array_elements(p_batch) WITH ORDINALITY x(j, n));
    END IF;
    IF v_run IS DISTINCT FROM e.run_id THEN
      v_run := e.run_id;
      SELECT coalesce(max(seq), 0) INTO v_head FROM run_events WHERE run_id = v_run;
    END IF;
    IF coalesce(e.m, 1) = 1 THEN
      IF e.known THEN
        NULL; -- committed before, with its rows: writing these again could take a row back
      ELSIF e.expected <> v_head THEN
        RAISE EXCEPTION 'run %: expected seq %, found %', e.run_id, e.expected, v_head USING ERRCODE = 'DF003';
      ELSE
        t_n := array_append(t_n, e.n);
        t_rows := array_append(t_rows, e.rows);
      END IF;
    END IF;
    IF e.old_seq IS NOT NULL AND NOT e.same THEN
      RAISE EXCEPTION 'run %: key % is already in the log with another payload (seq %)', e.run_id, e.key, e.old_seq
        USING ERRCODE = 'DF002';
    END IF;
    v_seq := e.old_seq;
    IF v_seq IS NULL AND e.m IS NOT NULL THEN
      v_head := v_head + 1;
      v_seq := v_head;
      n_run := array_append(n_run, e.run_id);
      n_phase := array_append(n_phase, e.phase_id);
      n_seq := array_append(n_seq, v_seq);
      n_type := array_append(n_type, e.type);
      n_key := array_append(n_key, e.key);
      n_payload := array_append(n_payload, e.payload);
      n_ts := array_append(n_ts, coalesce(e.ts, now()));
    END IF;
    a_n := array_append(a_n, e.n);
    a_m := array_append(a_m, e.m);
    a_seq := array_append(a_seq, v_seq);
  END LOOP;

  PERFORM devflow_put_rows(ARRAY(SELECT coalesce(j, '{}') FROM unnest(t_n, t_rows) x(n, j) ORDER BY n));
  INSERT INTO run_events (run_id, phase_id, seq, type, idempotency_key, payload, ts)
    SELECT * FROM unnest(n_run, n_phase, n_seq, n_type, n_key, n_payload, n_ts);

  RETURN (SELECT coalesce(jsonb_agg(seqs ORDER BY n), '[]') FROM (
    SELECT n, coalesce(jsonb_agg(seq ORDER BY m) FILTER (WHERE m IS NOT NULL), '[]') AS seqs
    FROM unnest(a_n, a_m, a_seq) x(n, m, seq) GROUP BY n) answer);
END $$;
--> statement-breakpoint
-- The one writer of run_events. p_batch: [{runId, expectedSeq, events: [{type, phaseId, key, payload, ts}], rows: {table:
-- [row, ...]}}]. All of it or nothing. Returns per transition the seqs of its events.
--   DF001  p_epoch is not the leader's
--   DF002  an event's key is in the log with another type or payload
--   DF003  expectedSeq (when not null) is not the run's last seq, and the transition brings something new
-- A transition whose events are all in the log is a repetition: answered, not written.
-- Each statement here has a snapshot of its own (READ COMMITTED), so what is read below the locks is what was committed
-- before them. One statement that locked and read lost events: its snapshot was older than its locks.
CREATE FUNCTION devflow_commit(p_epoch bigint, p_batch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  IF p_epoch IS NOT NULL THEN
    -- FOR SHARE: nobody becomes the leader between this check and this commit.
    PERFORM FROM daemon_lease WHERE id = 1 AND epoch = p_epoch FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'epoch % is not the leader''s', p_epoch USING ERRCODE = 'DF001';
    END IF;
  END IF;
  -- Sorted, so that two writers never wait for each other.
  PERFORM pg_advisory_xact_lock(lock) FROM (
    SELECT DISTINCT hashtextextended('devflow:run-events:' || (j->>'runId'), 0) AS lock
    FROM jsonb_array_elements(p_batch) j ORDER BY 1) locks;
  RETURN devflow_apply(p_batch);
END $$;
