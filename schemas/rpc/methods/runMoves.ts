import { z } from 'zod';
import { isKebabCase } from '../../contracts/document/fields.ts';
import { defineAct, defineMethod } from '../contract.ts';
import { QueuePlace } from '../views/queue.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runPause = defineAct({
  name: 'run.pause',
  summary: 'Pause a run; its gates stay open',
  params: z.strictObject({ runId: RunRef, reason: LoggedText.optional() }),
  result: RunMoved,
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});

export const runProgress = defineMethod({
  name: 'run.progress',
  summary: 'Say how far the agent of the running phase is; no decision depends on it',
  params: z.strictObject({
    runId: RunRef,
    number: z.number().int().min(0).max(1_000),
    name: z.string().max(64).refine(isKebabCase, 'write lower-case words with - between them'),
    detail: LoggedText.pipe(z.string().max(500)).default(''),
  }),
  result: RunMoved,
  changes: 'something',
  caller: 'anyone',
  errors: ['usage', 'not_found', 'ambiguous_id', 'state_conflict'],
});

export const runSkip = defineAct({
  name: 'run.skip',
  summary: 'Skip a phase that the template calls optional, before it begins',
  params: z.strictObject({
    runId: RunRef,
    phase: z.string(),
    reason: LoggedText.pipe(z.string().trim().min(1).max(2_000)),
  }),
  result: RunMoved,
  errors: ['usage', 'not_found', 'ambiguous_id', 'state_conflict'],
});

export const runMove = defineAct({
  name: 'run.move',
  summary: 'Move a queued run among those that wait, or let it wait for no other run',
  params: z.strictObject({
    runId: RunRef,
    to: z.enum(['first', 'last']).optional(),
    before: RunRef.optional().describe('instead of `to`: another queued run of its host'),
    after: RunRef.optional().describe('instead of `to`: another queued run of its host'),
    release: z.boolean().default(false).describe('it waits no more for the run that had to come first'),
  }),
  result: RunMoved.extend({ queue: QueuePlace.optional().describe('absent: it begins') }),
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  errors: ['usage', 'not_found', 'ambiguous_id', 'state_conflict', 'host_unreachable'],
});

export const runFinish = defineAct({
  name: 'run.finish',
  summary: 'Say that the work of an agent that you lead is finished; a commit, checks and a decision follow',
  params: z.strictObject({
    runId: RunRef,
    now: z.boolean().default(false).describe('also if the agent is in a turn, or has messages left'),
  }),
  result: RunMoved,
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});

export const runResume = defineAct({
  name: 'run.resume',
  summary: 'Resume a paused run',
  params: z.strictObject({ runId: RunRef, reason: LoggedText.optional() }),
  result: RunMoved,
  errors: ['not_found', 'ambiguous_id', 'state_conflict', 'gate_pending'],
});

export const runAbort = defineAct({
  name: 'run.abort',
  summary: 'Abort a run; worktrees and branches stay',
  params: z.strictObject({ runId: RunRef, reason: LoggedText.optional() }),
  result: RunMoved,
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});

export const runReopen = defineAct({
  name: 'run.reopen',
  summary: 'Take an abandoned lane up again, with the tasks that depend on it',
  params: z.strictObject({
    runId: RunRef,
    lane: z.string(),
    comment: LoggedText.pipe(z.string().trim().min(1).max(20_000)).optional(),
  }),
  result: RunMoved,
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
