import { z } from 'zod';
import { Backend, SessionState, ShownSessionState } from '../../enums.ts';
import { defineRead } from '../contract.ts';
import { LIST_FILTER, Limit, ListLimit, RunRef, Seq, SessionRef, Time } from '../views/refs.ts';
import { PanePlace, SessionDetail, SessionSummary, TranscriptChunk } from '../views/session.ts';

export const sessionList = defineRead({
  name: 'session.list',
  summary: 'List agent sessions, those of the newest run first',
  params: z.strictObject({
    runId: RunRef.optional(),
    limit: ListLimit,
    state: ShownSessionState.optional(),
    ...LIST_FILTER,
  }),
  result: z.array(SessionSummary),
  errors: ['not_found', 'ambiguous_id'],
});

export const sessionGet = defineRead({
  name: 'session.get',
  summary: 'Show an agent session',
  params: z.strictObject({ sessionId: SessionRef }),
  result: SessionDetail,
  errors: ['not_found', 'ambiguous_id'],
});

export const sessionTranscript = defineRead({
  name: 'session.transcript',
  summary: "Read what an agent's pane showed, in chunks",
  params: z.strictObject({
    sessionId: SessionRef,
    afterSeq: Seq.default(0),
    limit: Limit.default(50),
    tail: Limit.optional().describe('only the last chunks, this many, instead of afterSeq'),
  }),
  result: z.object({
    sessionId: z.string(),
    chunks: z.array(TranscriptChunk),
    /** Pass it as `afterSeq` to read on. */
    lastSeq: Seq,
    more: z.boolean(),
  }),
  answeredBy: { hostOf: 'sessionId', elsewhere: 'askOrAnswer' },
  errors: ['not_found', 'ambiguous_id'],
});

export const sessionProbe = defineRead({
  name: 'session.probe',
  summary: 'Look at a pane now',
  params: z.strictObject({ sessionId: SessionRef }),
  result: z.object({
    sessionId: z.string(),
    state: ShownSessionState,
    alive: z.boolean(),
    paneActive: z.boolean(),
    lastOutputAt: Time.nullable(),
    hint: z.string().nullable(),
  }),
  answeredBy: { hostOf: 'sessionId', elsewhere: 'ask' },
  errors: ['not_found', 'ambiguous_id'],
});

export const sessionWhy = defineRead({
  name: 'session.why',
  summary: 'Explain the state of a session by its signals',
  params: z.strictObject({ sessionId: SessionRef }),
  result: z.object({
    sessionId: z.string(),
    state: ShownSessionState,
    since: Time.nullable(),
    sentence: z.string(),
    /** Oldest first. */
    signals: z.array(z.object({ at: Time, signal: z.string(), detail: z.string(), state: SessionState.nullable() })),
  }),
  answeredBy: { hostOf: 'sessionId', elsewhere: 'ask' },
  errors: ['not_found', 'ambiguous_id'],
});

/** The caller builds the tmux command: only it knows whether it is inside tmux. */
export const sessionAttachTarget = defineRead({
  name: 'session.attachTarget',
  summary: 'Name the tmux pane to attach to',
  params: z.strictObject({
    target: z
      .string()
      .min(1)
      .optional()
      .describe('run, run/role, run/role@lane or session; absent: the session that needs a person most'),
    next: z
      .strictObject({ after: z.string().optional().describe('the session that is shown now') })
      .optional()
      .describe('instead of a target: the next session with a pane that needs a person, most urgent first'),
  }),
  result: z.object({
    sessionId: z.string(),
    runId: z.string(),
    repoPath: z.string(),
    roleId: z.string(),
    laneId: z.string(),
    backend: Backend,
    state: ShownSessionState,
    host: z.string().nullable().describe('the host that has the pane; null: this one'),
    tmux: PanePlace,
  }),
  errors: ['not_found', 'ambiguous_id', 'state_conflict', 'host_unreachable', 'usage'],
});

/** The question of `session.attachTarget` to the host of a session. */
export const sessionPane = defineRead({
  name: 'session.pane',
  summary: 'Name the tmux pane of a session on its host',
  params: z.strictObject({ sessionId: SessionRef }),
  result: PanePlace,
  answeredBy: { hostOf: 'sessionId', elsewhere: 'ask' },
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
