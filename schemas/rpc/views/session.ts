import { z } from 'zod';
import { Backend, ShownSessionState, TranscriptKind } from '../../enums.ts';
import { Stall } from '../../events/run.ts';
import { Time } from './refs.ts';

/** A session's stall: why its agent cannot continue by itself. */
export const StallView = z.object({
  ...Stall.shape,
  until: Time.nullable().describe('when the stall ends by itself'),
  since: Time,
});
export type StallView = z.infer<typeof StallView>;

/** A session in lists. `paneId` is null while it has no pane. */
export const SessionSummary = z.object({
  sessionId: z.string(),
  runId: z.string(),
  runTitle: z.string(),
  roleId: z.string(),
  /** The lane that its agent works in; `main` is the run's own worktree. */
  laneId: z.string(),
  backend: Backend,
  state: ShownSessionState,
  paneId: z.string().nullable(),
  cwd: z.string(),
  recoveryAttempts: z.number().int(),
  lastPromptAt: Time.nullable(),
  stall: StallView.nullable(),
  /** The number of messages that wait for its agent. Absent: none. */
  messages: z.number().int().positive().optional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

export const SessionDetail = SessionSummary.extend({
  phaseKey: z.string().nullable(),
  expectedArtifactPath: z.string().nullable(),
  expectedSchema: z.string().nullable(),
  panePid: z.number().int().nullable(),
  tmuxSession: z.string().nullable(),
  tmuxWindow: z.string().nullable(),
  /** Number of the newest transcript chunk; 0 if there is none. */
  lastTranscriptSeq: z.number().int(),
  /** What its agent said last; null if nobody knows. An older daemon does not say. */
  lastWords: z
    .object({ text: z.string(), at: Time, by: z.enum(['record', 'screen']) })
    .nullable()
    .optional(),
  /** Why the session failed; null if it did not. */
  failure: z.object({ code: z.string(), reason: z.string() }).nullable().optional(),
  /** The person's next step if devflow cannot continue with the session. */
  recoveryHint: z.string().nullable(),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

export const TranscriptChunk = z.object({
  seq: z.number().int(),
  kind: TranscriptKind,
  /** The printed text; for `resize` the new size (`160x45`); for `gap` what is known about the gap. */
  content: z.string(),
  /** The exact bytes, if they are not UTF-8. */
  base64: z.string().optional(),
  /** The byte offset of its end in the session's output; null for a backend without a terminal. */
  endOffset: z.number().int().nullable(),
  capturedAt: Time,
});
export type TranscriptChunk = z.infer<typeof TranscriptChunk>;

/** Where an agent's pane is, on its host. */
export const PanePlace = z.object({
  binary: z.string().describe('name or path of the tmux program that talks to that server'),
  socket: z.string(),
  session: z.string(),
  window: z.string(),
  paneId: z.string(),
});
export type PanePlace = z.infer<typeof PanePlace>;

/** The fate of open runs' agents at the daemon's start: a count for each outcome. */
export const AdoptionCounts = z.object({
  adopted: z.number().int().describe('survived the last daemon and are watched again'),
  resumed: z.number().int().describe('were gone and have been restarted'),
  waiting: z.number().int().describe('are gone; their run waits at a gate and restarts them after it'),
  resting: z.number().int().describe('are gone; their run restarts them when it needs them and a slot is free'),
  pending: z.number().int().describe('are being searched for or restarted now'),
});
export type AdoptionCounts = z.infer<typeof AdoptionCounts>;

/** The numbers of agents at work and waiting for a slot, and the limit of those at work. */
export const SlotCounts = z.object({
  atWork: z.number().int(),
  waiting: z.number().int(),
  limit: z.number().int(),
});
export type SlotCounts = z.infer<typeof SlotCounts>;
