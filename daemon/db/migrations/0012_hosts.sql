ALTER TABLE "daemon_lease" DROP CONSTRAINT "daemon_lease_id_check";--> statement-breakpoint
ALTER TABLE "daemon_lease" DROP COLUMN "id";--> statement-breakpoint
ALTER TABLE "daemon_lease" ADD COLUMN "machine" text;--> statement-breakpoint
ALTER TABLE "daemon_lease" ADD COLUMN "led_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "daemon_lease" ADD COLUMN "stopped_at" timestamp (3) with time zone;--> statement-breakpoint
-- The one row was of a daemon that led alone, under the name of its machine. As hostIdOf in schemas/config/hostSettings.ts.
UPDATE "daemon_lease" SET "machine" = "host", "led_alone" = true, "host" = coalesce(nullif(left(
  regexp_replace(regexp_replace("host", '[^A-Za-z0-9_.-]', '-', 'g'), '^[^A-Za-z0-9]+', ''), 63), ''), 'localhost');--> statement-breakpoint
ALTER TABLE "daemon_lease" ALTER COLUMN "host" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "daemon_lease" ADD PRIMARY KEY ("host");--> statement-breakpoint
DROP INDEX "ux_active_run_repo_base";--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "host" text;--> statement-breakpoint
CREATE UNIQUE INDEX "ux_active_run_repo_base" ON "runs" USING btree (coalesce("host", ''),"repository","base_branch","slot") WHERE "runs"."state" NOT IN ('completed', 'failed', 'aborted');
