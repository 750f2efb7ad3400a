ALTER TABLE "tui_transcript_chunks" ADD COLUMN "data" "bytea";--> statement-breakpoint
ALTER TABLE "tui_transcript_chunks" ADD COLUMN "kind" text DEFAULT 'output' NOT NULL;--> statement-breakpoint
ALTER TABLE "tui_transcript_chunks" ADD COLUMN "end_offset" bigint;--> statement-breakpoint
ALTER TABLE "tui_transcript_chunks" ADD CONSTRAINT "tui_transcript_chunks_kind_check" CHECK ("tui_transcript_chunks"."kind" IN ('output', 'resize', 'gap'));