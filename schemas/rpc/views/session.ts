import { z } from 'zod';
import { Backend, ShownSessionState, TranscriptKind } from '../../enums.ts';
import { Stall } from '../../events/run.ts';
import { Time } from './refs.ts';

/** What keeps an agent from going on by itself. */
export const StallView = z.object({
  ...Stall.shape,
  until: Time.nullable().describe('when it ends by itself'),
  since: Time,
});
export type StallView = z.infer<typeof StallView>;

/** An agent in its pane, as lists show it. `paneId` is null while it has none. */
export const SessionSummary = z.object({
  sessionId: z.string(),
  runId: z.string(),
  roleId: z.string(),
  backend: Backend,
  state: ShownSessionState,
  paneId: z.string().nullable(),
  cwd: z.string(),
  recoveryAttempts: z.number().int(),
  lastPromptAt: Time.nullable(),
  stall: StallView.nullable(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

export const SessionDetail = SessionSummary.extend({
  phaseKey: z.string().nullable(),
  expectedArtifactPath: z.string().nullable(),
  expectedSchema: z.string().nullable(),
  panePid: z.number().int().nullable(),
  tmuxSession: z.string().nullable(),
  tmuxWindow: z.string().nullable(),
  /** Number of the newest transcript chunk; 0 when there is none. */
  lastTranscriptSeq: z.number().int(),
  /** What broke the session; null for a sound one. */
  failure: z.object({ code: z.string(), reason: z.string() }).nullable().optional(),
  /** What a person should do, when devflow cannot go on with it. */
  recoveryHint: z.string().nullable(),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

export const TranscriptChunk = z.object({
  seq: z.number().int(),
  kind: TranscriptKind,
  /** What was printed; of a `resize` the new size, `160x45`; of a `gap` what is known of it. */
  content: z.string(),
  /** The exact bytes, where they are no UTF-8. */
  base64: z.string().optional(),
  /** Where in all that the session's programs printed it ends; null for a backend without a terminal. */
  endOffset: z.number().int().nullable(),
  capturedAt: Time,
});
export type TranscriptChunk = z.infer<typeof TranscriptChunk>;
