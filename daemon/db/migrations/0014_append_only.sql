-- What 0002_commit_function.sql refuses row by row, TRUNCATE would pass. Transcripts are append-only, too.

CREATE TRIGGER tui_transcript_chunks_append_only BEFORE UPDATE OR DELETE ON tui_transcript_chunks
  FOR EACH ROW EXECUTE FUNCTION devflow_refuse_change();
--> statement-breakpoint
CREATE TRIGGER run_events_no_truncate BEFORE TRUNCATE ON run_events
  FOR EACH STATEMENT EXECUTE FUNCTION devflow_refuse_change();
--> statement-breakpoint
CREATE TRIGGER approval_decisions_no_truncate BEFORE TRUNCATE ON approval_decisions
  FOR EACH STATEMENT EXECUTE FUNCTION devflow_refuse_change();
--> statement-breakpoint
CREATE TRIGGER tui_transcript_chunks_no_truncate BEFORE TRUNCATE ON tui_transcript_chunks
  FOR EACH STATEMENT EXECUTE FUNCTION devflow_refuse_change();
