import { z } from 'zod';
import { Binding, BindingOverride } from '../definitions/persona.ts';
import { Template } from '../definitions/template.ts';
import { RunState, StallCause } from '../enums.ts';
import { defineEvent } from './define.ts';

/** Everything a run needs for ever: template, inputs, phases and options are frozen here. */
const Created = z.strictObject({
  /** Numbered behaviours: a change that alters old decisions looks at this number. */
  behaviour: z.union([z.literal(1), z.literal(2)]),
  templateId: z.string(),
  templateHash: z.string(),
  template: Template,
  repoPath: z.string(),
  /** git's common directory. Older runs have none: it follows from `repoPath`. */
  repository: z.string().optional(),
  /** Absent: 0. Another number for a run beside an open one of its repository and base branch. */
  slot: z.number().int().positive().optional(),
  baseBranch: z.string(),
  baseCommit: z.string(),
  worktreeRoot: z.string(),
  /** Older runs have none; it follows from their `worktreeRoot`. */
  workspaceRoot: z.string().optional(),
  requirementsMd: z.string(),
  objective: z.unknown().nullable(),
  extra: z.record(z.string(), z.unknown()).nullable(),
  overrides: z.record(z.string(), BindingOverride),
  phases: z.array(z.strictObject({ id: z.string(), key: z.string(), seq: z.number().int() })),
  options: z.strictObject({
    /** Milliseconds an agent may take for an artifact where its phase says nothing. */
    artifactTimeoutMs: z.number().int().positive(),
    /** Milliseconds after which one that has ended its turn without its artifact is asked again; older runs have none. */
    idleTimeoutMs: z.number().int().positive().optional(),
    /** Milliseconds a gate waits before the run pauses; null waits for ever. */
    approvalTimeoutMs: z.number().int().positive().nullable(),
    commandTimeoutMs: z.number().int().positive(),
  }),
});
export type Behaviour = z.infer<typeof Created>['behaviour'];
export type RunOptions = z.infer<typeof Created>['options'];

/**
 * What keeps an agent from going on; `until` is when it ends by itself, ISO 8601 UTC, where that is known. `goesOn`: its turn has
 * not ended, and it goes on then.
 */
export const Stall = z.strictObject({
  cause: StallCause,
  detail: z.string(),
  until: z.string().nullable(),
  goesOn: z.literal(true).optional(),
});
export type Stall = z.infer<typeof Stall>;

const Caused = { cause: z.string(), approvalRequestId: z.string().optional() };
const once = (type: string) => (facts: { runId: string }) => `${type}:${facts.runId}`;

export const runEvents = [
  defineEvent('run.created', Created, once('run.created')),
  defineEvent(
    'run.started',
    z.strictObject({ bindings: z.array(Binding), inputHash: z.string(), branch: z.string() }),
    once('run.started'),
  ),
  defineEvent(
    'run.paused',
    z.strictObject({ ...Caused, pausedFrom: RunState, reason: z.string() }),
    ({ runId, payload }) => `run.paused:${runId}:${payload.cause}`,
  ),
  defineEvent(
    'run.resumed',
    z.strictObject({ ...Caused, to: RunState, reason: z.string().optional() }),
    ({ runId, payload }) => `run.resumed:${runId}:${payload.cause}`,
  ),
  defineEvent(
    'run.stalled',
    z.strictObject({
      sessionId: z.string(),
      /** Counts the reports of this session, over its whole life. */
      nth: z.number().int().positive(),
      /** Null: it goes on. */
      stall: Stall.nullable(),
    }),
    ({ payload }) => `run.stalled:${payload.sessionId}:${payload.nth}`,
  ),
  defineEvent('run.completed', z.strictObject({}), once('run.completed')),
  defineEvent(
    'run.failed',
    z.strictObject({ code: z.string(), class: z.string(), reason: z.string(), hint: z.string().optional() }),
    once('run.failed'),
  ),
  defineEvent('run.aborted', z.strictObject({ reason: z.string() }), once('run.aborted')),
] as const;
