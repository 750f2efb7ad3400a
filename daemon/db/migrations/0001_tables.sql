CREATE TABLE "approval_decisions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"approval_request_id" uuid NOT NULL,
	"action" text NOT NULL,
	"comment" text,
	"decided_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"idempotency_key" text NOT NULL,
	CONSTRAINT "approval_decisions_idempotency_key_key" UNIQUE("idempotency_key"),
	CONSTRAINT "approval_decisions_action_check" CHECK ("approval_decisions"."action" IN ('approve', 'reject', 'request_changes', 'abort'))
);
--> statement-breakpoint
CREATE TABLE "approval_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"phase_id" uuid,
	"gate_key" text NOT NULL,
	"state" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "approval_requests_idempotency_key_key" UNIQUE("idempotency_key"),
	CONSTRAINT "approval_requests_state_check" CHECK ("approval_requests"."state" IN ('pending', 'approved', 'rejected', 'changes_requested', 'aborted', 'paused'))
);
--> statement-breakpoint
CREATE TABLE "artifacts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"phase_id" uuid,
	"path" text NOT NULL,
	"stored_path" text,
	"schema_id" text NOT NULL,
	"hash" text NOT NULL,
	"valid" boolean NOT NULL,
	"validation_error" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "artifacts_run_id_path_hash_key" UNIQUE("run_id","path","hash")
);
--> statement-breakpoint
CREATE TABLE "backtest_iterations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"payload" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backtest_metrics" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"payload" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_personas" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"hash" text NOT NULL,
	"definition" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_personas_hash_key" UNIQUE("hash"),
	CONSTRAINT "agent_personas_name_version_key" UNIQUE("name","version")
);
--> statement-breakpoint
CREATE TABLE "workflow_templates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"hash" text NOT NULL,
	"definition" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_templates_hash_key" UNIQUE("hash"),
	CONSTRAINT "workflow_templates_name_version_key" UNIQUE("name","version")
);
--> statement-breakpoint
CREATE TABLE "commands" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"phase_id" uuid,
	"kind" text NOT NULL,
	"argv" text[] NOT NULL,
	"cwd" text NOT NULL,
	"exit_code" integer,
	"stdout_path" text,
	"stderr_path" text,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "commands_kind_check" CHECK ("commands"."kind" IN ('git', 'test', 'e2e', 'doctor', 'backtest', 'other'))
);
--> statement-breakpoint
CREATE TABLE "run_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"phase_id" uuid,
	"seq" bigint NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"idempotency_key" text NOT NULL,
	"ts" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_events_run_id_seq_key" UNIQUE("run_id","seq"),
	CONSTRAINT "run_events_run_id_idempotency_key_key" UNIQUE("run_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "review_findings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"phase_id" uuid,
	"reviewer_role" text NOT NULL,
	"severity" text NOT NULL,
	"category" text NOT NULL,
	"file_path" text,
	"line" integer,
	"summary" text NOT NULL,
	"evidence" text,
	"verifier_status" text DEFAULT 'unverified' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "review_findings_severity_check" CHECK ("review_findings"."severity" IN ('info', 'low', 'medium', 'high', 'critical')),
	CONSTRAINT "review_findings_category_check" CHECK ("review_findings"."category" IN ('correctness', 'evidence', 'style', 'security', 'performance', 'other')),
	CONSTRAINT "review_findings_verifier_status_check" CHECK ("review_findings"."verifier_status" IN ('unverified', 'confirmed', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "daemon_lease" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"epoch" bigint NOT NULL,
	"pid" integer NOT NULL,
	"host" text,
	"version" text,
	"taken_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "daemon_lease_id_check" CHECK ("daemon_lease"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "run_phases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"phase_key" text NOT NULL,
	"seq" integer NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "run_phases_run_id_phase_key_key" UNIQUE("run_id","phase_key"),
	CONSTRAINT "run_phases_state_check" CHECK ("run_phases"."state" IN ('pending', 'running', 'awaiting_artifact', 'validating', 'awaiting_approval', 'completed', 'failed', 'skipped'))
);
--> statement-breakpoint
CREATE TABLE "run_bindings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"role_id" text NOT NULL,
	"persona_id" uuid NOT NULL,
	"persona_hash" text NOT NULL,
	"backend" text NOT NULL,
	"binding_hash" text NOT NULL,
	CONSTRAINT "run_bindings_run_id_role_id_key" UNIQUE("run_id","role_id"),
	CONSTRAINT "run_bindings_backend_check" CHECK ("run_bindings"."backend" IN ('codex', 'claude', 'fake'))
);
--> statement-breakpoint
CREATE TABLE "run_inputs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"requirements_md" text NOT NULL,
	"objective" jsonb,
	"extra" jsonb,
	"input_hash" text NOT NULL,
	CONSTRAINT "run_inputs_run_id_key" UNIQUE("run_id")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"template_id" uuid NOT NULL,
	"template_hash" text NOT NULL,
	"state" text NOT NULL,
	"repo_path" text NOT NULL,
	"base_branch" text NOT NULL,
	"worktree_root" text NOT NULL,
	"current_phase_id" uuid,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"final_report_path" text,
	"paused_from_state" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "runs_state_check" CHECK ("runs"."state" IN ('created', 'bound', 'planning', 'awaiting_approval', 'executing', 'paused', 'completed', 'failed', 'aborted')),
	CONSTRAINT "runs_paused_from_state_check" CHECK ("runs"."paused_from_state" IN ('created', 'bound', 'planning', 'awaiting_approval', 'executing', 'paused', 'completed', 'failed', 'aborted'))
);
--> statement-breakpoint
CREATE TABLE "tui_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"role_id" text NOT NULL,
	"backend" text NOT NULL,
	"cwd" text NOT NULL,
	"expected_artifact_path" text,
	"expected_schema" text,
	"last_prompt_hash" text,
	"last_prompt_at" timestamp (3) with time zone,
	"state" text NOT NULL,
	"recovery_attempts" integer DEFAULT 0 NOT NULL,
	"last_capture_seq" bigint DEFAULT 0 NOT NULL,
	"last_known_pane_pid" integer,
	"tmux_session" text,
	"tmux_window" text,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "tui_sessions_run_id_role_id_key" UNIQUE("run_id","role_id"),
	CONSTRAINT "tui_sessions_backend_check" CHECK ("tui_sessions"."backend" IN ('codex', 'claude', 'fake')),
	CONSTRAINT "tui_sessions_state_check" CHECK ("tui_sessions"."state" IN ('CREATED', 'BOOTSTRAPPING', 'READY', 'BUSY', 'WAITING_FOR_APPROVAL', 'ARTIFACT_TIMEOUT', 'HUNG', 'CRASHED', 'RESUMING', 'REBOOTSTRAPPED', 'FAILED_NEEDS_HUMAN'))
);
--> statement-breakpoint
CREATE TABLE "tui_transcript_chunks" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"content" text NOT NULL,
	"captured_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tui_transcript_chunks_session_id_seq_key" UNIQUE("session_id","seq")
);
--> statement-breakpoint
ALTER TABLE "approval_decisions" ADD CONSTRAINT "approval_decisions_approval_request_id_approval_requests_id_fk" FOREIGN KEY ("approval_request_id") REFERENCES "public"."approval_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_phase_id_run_phases_id_fk" FOREIGN KEY ("phase_id") REFERENCES "public"."run_phases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_phase_id_run_phases_id_fk" FOREIGN KEY ("phase_id") REFERENCES "public"."run_phases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD CONSTRAINT "backtest_iterations_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD CONSTRAINT "backtest_metrics_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commands" ADD CONSTRAINT "commands_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commands" ADD CONSTRAINT "commands_phase_id_run_phases_id_fk" FOREIGN KEY ("phase_id") REFERENCES "public"."run_phases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_phase_id_run_phases_id_fk" FOREIGN KEY ("phase_id") REFERENCES "public"."run_phases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_findings" ADD CONSTRAINT "review_findings_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_findings" ADD CONSTRAINT "review_findings_phase_id_run_phases_id_fk" FOREIGN KEY ("phase_id") REFERENCES "public"."run_phases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_phases" ADD CONSTRAINT "run_phases_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_bindings" ADD CONSTRAINT "run_bindings_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_bindings" ADD CONSTRAINT "run_bindings_persona_id_agent_personas_id_fk" FOREIGN KEY ("persona_id") REFERENCES "public"."agent_personas"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_inputs" ADD CONSTRAINT "run_inputs_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_template_id_workflow_templates_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."workflow_templates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tui_sessions" ADD CONSTRAINT "tui_sessions_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tui_transcript_chunks" ADD CONSTRAINT "tui_transcript_chunks_session_id_tui_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."tui_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_decisions_approval_request_id_idx" ON "approval_decisions" USING btree ("approval_request_id");--> statement-breakpoint
CREATE INDEX "approval_requests_run_id_idx" ON "approval_requests" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "commands_run_id_idx" ON "commands" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "run_events_run_id_ts_idx" ON "run_events" USING btree ("run_id","ts");--> statement-breakpoint
CREATE INDEX "review_findings_run_id_idx" ON "review_findings" USING btree ("run_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ux_active_run_repo_base" ON "runs" USING btree ("repo_path","base_branch") WHERE "runs"."state" NOT IN ('completed', 'failed', 'aborted');