ALTER TABLE "daemon_lease" ADD COLUMN "installation" text;--> statement-breakpoint
ALTER TABLE "daemon_lease" ADD COLUMN "clock_skew_ms" bigint;