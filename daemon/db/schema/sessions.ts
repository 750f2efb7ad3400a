import { bigint, bigserial, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { Backend, SessionState, TranscriptKind } from '../../../schemas/enums.ts';
import { bytes, id, instant, laneId, oneOf, updatedAt } from './columns.ts';
import { runs } from './runs.ts';

/**
 * Columns up to `recovery_attempts` are projections of events. The session manager writes `last_capture_seq`, the pane's pid
 * and the tmux names; `devflow_commit` never touches them.
 */
export const tuiSessions = pgTable(
  'tui_sessions',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    roleId: text('role_id').notNull(),
    laneId: laneId(),
    backend: text('backend').$type<Backend>().notNull(),
    cwd: text('cwd').notNull(),
    expectedArtifactPath: text('expected_artifact_path'),
    expectedSchema: text('expected_schema'),
    lastPromptHash: text('last_prompt_hash'),
    lastPromptAt: instant('last_prompt_at'),
    state: text('state').$type<SessionState>().notNull(),
    recoveryAttempts: integer('recovery_attempts').notNull().default(0),
    lastCaptureSeq: bigint('last_capture_seq', { mode: 'number' }).notNull().default(0),
    lastKnownPanePid: integer('last_known_pane_pid'),
    tmuxSession: text('tmux_session'),
    tmuxWindow: text('tmux_window'),
    tmuxPane: text('tmux_pane'),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('tui_sessions_run_id_role_id_lane_id_key').on(t.runId, t.roleId, t.laneId),
    oneOf('tui_sessions_backend_check', t.backend, Backend.options),
    oneOf('tui_sessions_state_check', t.state, SessionState.options),
  ],
);

/**
 * Append-only, like `run_events`. May be written with `synchronous_commit = off`, because a lost chunk is captured
 * again. `data` has the bytes (zstd), or `content` has them if they are short text. The other column is null or empty.
 */
export const tuiTranscriptChunks = pgTable(
  'tui_transcript_chunks',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => tuiSessions.id, { onDelete: 'cascade' }),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    content: text('content').notNull(),
    data: bytes('data'),
    /** `output`; `resize`, with columns x rows in `content`; `gap` for lost output, with a description. */
    kind: text('kind').$type<TranscriptKind>().notNull().default('output'),
    /** Where the chunk ends in the session's output; null if the backend has no such stream. */
    endOffset: bigint('end_offset', { mode: 'number' }),
    capturedAt: instant('captured_at').notNull().defaultNow(),
  },
  (t) => [
    unique('tui_transcript_chunks_session_id_seq_key').on(t.sessionId, t.seq),
    oneOf('tui_transcript_chunks_kind_check', t.kind, TranscriptKind.options),
  ],
);
