import { z } from 'zod';
import { CommentView } from '../../comments/commentView.ts';
import { RunState } from '../../enums.ts';
import { defineMethod, defineRead } from '../contract.ts';
import { FindingView } from '../views/findings.ts';
import { RunLanes } from '../views/lanes.ts';
import { LIST_FILTER, Limit, ListLimit, RunRef, Seq } from '../views/refs.ts';
import { ReviewSummary } from '../views/reviews.ts';
import { EventView, RunDetail, RunSummary } from '../views/run.ts';

export const runList = defineRead({
  name: 'run.list',
  summary: 'List the open runs and the latest ended ones, newest first',
  params: z.strictObject({
    state: RunState.optional(),
    limit: ListLimit,
    ...LIST_FILTER,
  }),
  result: z.array(RunSummary),
});

export const runGet = defineMethod({
  name: 'run.get',
  summary: 'Show a run with its phases, bindings, gates, sessions, commands and artifacts',
  params: z.strictObject({ runId: RunRef }),
  result: RunDetail,
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id'],
});

export const runLanes = defineRead({
  name: 'run.lanes',
  summary: 'Show the parallel work of a run: tasks, lanes, merge queue, overlaps and merge tests',
  params: z.strictObject({ runId: RunRef }),
  result: RunLanes,
  errors: ['not_found', 'ambiguous_id'],
});

export const runFindings = defineRead({
  name: 'run.findings',
  summary: 'List what the reviewers of a run found, and what became of it',
  params: z.strictObject({ runId: RunRef }),
  result: z.object({
    runId: z.string(),
    findings: z.array(FindingView),
    /** The result of each review phase that has begun. An older daemon does not say. */
    reviews: z.array(ReviewSummary).optional(),
    /** What people said about lines, files and documents. Absent if nobody did. */
    comments: z.array(CommentView).optional(),
    /** Warnings about the review, for a person who wants to trust it, as sentences. */
    notes: z.array(z.string()),
  }),
  errors: ['not_found', 'ambiguous_id'],
});

export const runEvents = defineMethod({
  name: 'run.events',
  summary: "Read a page of a run's event log; the next page starts after the last seq",
  params: z.strictObject({
    runId: RunRef,
    afterSeq: Seq.default(0),
    limit: Limit.default(500),
  }),
  result: z.array(EventView),
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id'],
});

export const runReport = defineMethod({
  name: 'run.report',
  summary: 'Read the report of a run; for an open run, the report as of now',
  params: z.strictObject({ runId: RunRef }),
  result: z.object({
    runId: z.string(),
    markdown: z.string(),
    json: z.record(z.string(), z.unknown()),
    /** Null until the files are written. */
    paths: z.object({ markdown: z.string(), json: z.string() }).nullable(),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id'],
});

export const runVerify = defineRead({
  name: 'run.verify',
  summary: 'Prove that the rows and branches of a run are as its replayed events say',
  params: z.strictObject({ runId: RunRef }),
  result: z.object({
    runId: z.string(),
    ok: z.boolean(),
    differences: z.array(z.object({ path: z.string(), replayed: z.unknown(), stored: z.unknown() })),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'askOrAnswer' },
  errors: ['not_found', 'ambiguous_id'],
});
