ALTER TABLE "run_bindings" DROP CONSTRAINT "run_bindings_backend_check";--> statement-breakpoint
ALTER TABLE "tui_sessions" DROP CONSTRAINT "tui_sessions_backend_check";--> statement-breakpoint
ALTER TABLE "run_bindings" ADD CONSTRAINT "run_bindings_backend_check" CHECK ("run_bindings"."backend" IN ('codex', 'claude', 'gemini', 'opencode', 'fake'));--> statement-breakpoint
ALTER TABLE "tui_sessions" ADD CONSTRAINT "tui_sessions_backend_check" CHECK ("tui_sessions"."backend" IN ('codex', 'claude', 'gemini', 'opencode', 'fake'));