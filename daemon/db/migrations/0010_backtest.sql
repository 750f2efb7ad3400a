ALTER TABLE "backtest_iterations" ADD COLUMN "phase_id" uuid;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "attempt" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "iteration" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "commit" text NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "tree" text NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "status" text;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "is_kept" boolean;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "value" double precision;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "deviation" double precision;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "gain" double precision;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "needed" double precision;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "targets_met" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "stop_reason" text;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "hypothesis" jsonb;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "details" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "started_at" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD COLUMN "updated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD COLUMN "iteration_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD COLUMN "command_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD COLUMN "part" text NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD COLUMN "metrics" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD COLUMN "absent" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD COLUMN "fault" text;--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD CONSTRAINT "backtest_iterations_phase_id_run_phases_id_fk" FOREIGN KEY ("phase_id") REFERENCES "public"."run_phases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backtest_metrics" ADD CONSTRAINT "backtest_metrics_iteration_id_backtest_iterations_id_fk" FOREIGN KEY ("iteration_id") REFERENCES "public"."backtest_iterations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "backtest_iterations_run_id_idx" ON "backtest_iterations" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "backtest_metrics_iteration_id_idx" ON "backtest_metrics" USING btree ("iteration_id");--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD CONSTRAINT "backtest_iterations_status_check" CHECK ("backtest_iterations"."status" IN ('valid', 'invalid', 'tampered'));--> statement-breakpoint
ALTER TABLE "backtest_iterations" ADD CONSTRAINT "backtest_iterations_stop_reason_check" CHECK ("backtest_iterations"."stop_reason" IN ('tampered', 'met', 'holdout', 'budget', 'invalid', 'plateau'));--> statement-breakpoint
ALTER TABLE "backtest_iterations" DROP COLUMN "payload";--> statement-breakpoint
ALTER TABLE "backtest_metrics" DROP COLUMN "payload";