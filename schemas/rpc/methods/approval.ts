import { z } from 'zod';
import { MOST_COMMENTS, NewComment } from '../../comments/comment.ts';
import { ApprovalDecisionAction, ApprovalState } from '../../enums.ts';
import { defineAct, defineMethod, defineRead } from '../contract.ts';
import { ApprovalDetail, ApprovalSummary } from '../views/approval.ts';
import { ApprovalRef, LIST_FILTER, ListLimit, LoggedText, PathText, RunRef } from '../views/refs.ts';

export const approvalList = defineRead({
  name: 'approval.list',
  summary: 'List gates that wait for a decision, newest first',
  params: z.strictObject({
    runId: RunRef.optional(),
    state: ApprovalState.optional(),
    limit: ListLimit,
    all: z.boolean().default(false).describe('include decided gates; `state` filters further'),
    ...LIST_FILTER,
  }),
  result: z.array(ApprovalSummary),
  errors: ['not_found', 'ambiguous_id'],
});

export const approvalGet = defineMethod({
  name: 'approval.get',
  summary: 'Show a gate with everything under decision',
  params: z.strictObject({ approvalId: ApprovalRef }),
  result: ApprovalDetail,
  answeredBy: { hostOf: 'approvalId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id'],
});

export const approvalDiff = defineMethod({
  name: 'approval.diff',
  summary: 'Show the change of one file under decision, also where the patch of the gate is cut',
  params: z.strictObject({ approvalId: ApprovalRef, path: PathText }),
  result: z.object({
    path: z.string(),
    /** At most 1 MiB. */
    patch: z.string(),
    truncated: z.boolean(),
    binary: z.boolean(),
  }),
  answeredBy: { hostOf: 'approvalId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id'],
});

/** One token for one act of a person. Retries repeat the token. */
export const approvalDecide = defineAct({
  name: 'approval.decide',
  summary: 'Decide a gate; the same token again answers with the same decision',
  params: z.strictObject({
    approvalId: ApprovalRef,
    action: ApprovalDecisionAction,
    clientToken: z.uuid(),
    comment: LoggedText.optional(),
    comments: z
      .array(NewComment)
      .max(MOST_COMMENTS)
      .optional()
      .describe('with request_changes: about lines, files and documents that the gate shows'),
    shown: z.string().max(100).optional().describe('the hash of what was shown; another one is refused'),
  }),
  result: z.object({
    decisionId: z.string(),
    /** False if this token made the same decision before. */
    created: z.boolean(),
    approvalId: z.string(),
    runId: z.string(),
    action: ApprovalDecisionAction,
    state: ApprovalState,
  }),
  answeredBy: { hostOf: 'approvalId', elsewhere: 'askOrAnswer' },
  errors: [
    'not_found',
    'ambiguous_id',
    'decision_conflict',
    'state_conflict',
    'changes_under_decision',
    'artifact_changed',
    'comments_misplaced',
  ],
});

/** A text that a person edits at a gate. */
export const MOST_EDITED = 256 * 1024;

export const approvalEditText = defineMethod({
  name: 'approval.editText',
  summary: 'Give a document of a gate as YAML, with the descriptions of its schema, to edit it',
  params: z.strictObject({
    approvalId: ApprovalRef,
    artifact: z.string().min(4).max(64).optional().describe('its hash or a prefix; default: the only one'),
  }),
  result: z.object({
    approvalId: z.string(),
    runId: z.string(),
    /** The hash of the document as the gate shows it. */
    artifact: z.string(),
    schema: z.string(),
    path: z.string(),
    text: z.string(),
    /** The hash of what the gate shows. */
    shown: z.string(),
  }),
  answeredBy: { hostOf: 'approvalId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id', 'not_editable', 'artifact_changed', 'host_unreachable'],
});

/** The edit approves nothing: the gate opens again, and shows the new version. */
export const approvalEdit = defineAct({
  name: 'approval.edit',
  summary: 'Put your own version in place of a document at a gate; the gate opens again with it',
  params: z.strictObject({
    approvalId: ApprovalRef,
    artifact: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('the hash of the document that you were shown'),
    text: z.string().max(MOST_EDITED).describe('YAML or JSON'),
    shown: z.string().max(100).optional().describe('the hash of what was shown; another one is refused'),
    clientToken: z.uuid(),
  }),
  result: z.object({
    /** The gate that shows the new version. */
    approvalId: z.string(),
    runId: z.string(),
    artifactId: z.string(),
    hash: z.string(),
    /** False if the text says the same as before, or this token made the same edit before. */
    created: z.boolean(),
  }),
  answeredBy: { hostOf: 'approvalId', elsewhere: 'ask' },
  errors: [
    'not_found',
    'ambiguous_id',
    'not_editable',
    'artifact_invalid',
    'artifact_changed',
    'changes_under_decision',
    'decision_conflict',
    'host_unreachable',
  ],
});

export const approvalCheckComments = defineMethod({
  name: 'approval.checkComments',
  summary: 'Say where comments stand in what a gate shows; decides nothing',
  params: z.strictObject({
    approvalId: ApprovalRef,
    comments: z.array(NewComment).max(MOST_COMMENTS),
  }),
  result: z.array(
    z.object({
      /** The index of the comment. */
      at: z.number().int(),
      place: z.enum(['same', 'moved', 'outdated']),
      /** The place of its quote, if it moved. */
      line: z.number().int().optional(),
      /** The quote as the decision would record it. */
      quote: z.string().optional(),
      /** Why a decision would refuse it, as a sentence. */
      reason: z.string().optional(),
    }),
  ),
  answeredBy: { hostOf: 'approvalId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'reader',
  errors: ['not_found', 'ambiguous_id', 'host_unreachable'],
});
