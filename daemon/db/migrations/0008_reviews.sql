ALTER TABLE "review_findings" DROP CONSTRAINT "review_findings_verifier_status_check";--> statement-breakpoint
ALTER TABLE "lanes" DROP CONSTRAINT "lanes_state_check";--> statement-breakpoint
ALTER TABLE "review_findings" ADD COLUMN "state" text DEFAULT 'unverified' NOT NULL;--> statement-breakpoint
ALTER TABLE "review_findings" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "review_findings" ADD CONSTRAINT "review_findings_state_check" CHECK ("review_findings"."state" IN ('unverified', 'confirmed', 'rejected', 'disputed', 'duplicate', 'fixed', 'accepted'));--> statement-breakpoint
ALTER TABLE "review_findings" ADD CONSTRAINT "review_findings_verifier_status_check" CHECK ("review_findings"."verifier_status" IN ('unverified', 'confirmed', 'rejected', 'disputed', 'duplicate'));--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_state_check" CHECK ("lanes"."state" IN ('open', 'queued', 'landed', 'abandoned', 'closed'));