-- Each run has had a directory of its own, so no row breaks the new index.
CREATE TABLE "schedules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"host" text,
	"title" text,
	"expression" text NOT NULL,
	"zone" text NOT NULL,
	"repo_path" text NOT NULL,
	"request" jsonb NOT NULL,
	"missed" text NOT NULL,
	"paused" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"next_at" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone,
	"last_run_id" uuid,
	"last_note" text,
	"updated_at" timestamp (3) with time zone,
	CONSTRAINT "schedules_missed_check" CHECK ("schedules"."missed" IN ('once', 'skip'))
);
--> statement-breakpoint
CREATE TABLE "webhook_notices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"nth" bigserial NOT NULL,
	"host" text,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"body" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"gave_up" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX "webhook_notices_nth_idx" ON "webhook_notices" USING btree ("nth");--> statement-breakpoint
CREATE UNIQUE INDEX "ux_open_run_worktree" ON "runs" USING btree (coalesce("host", ''),"worktree_root") WHERE "runs"."state" NOT IN ('completed', 'failed', 'aborted');