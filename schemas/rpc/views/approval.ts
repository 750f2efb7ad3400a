import { z } from 'zod';
import { CommentView } from '../../comments/commentView.ts';
import { ApprovalDecisionAction, ApprovalState, GateKind } from '../../enums.ts';
import { ArtifactContent } from './artifact.ts';
import { CommandView } from './command.ts';
import { Time } from './refs.ts';
import { Sheet } from './sheet.ts';

/** A gate in lists. */
export const ApprovalSummary = z.object({
  id: z.string(),
  runId: z.string(),
  runTitle: z.string(),
  gateKey: z.string(),
  kind: GateKind,
  phaseKey: z.string().nullable(),
  /** The assignment that the gate is about; null if it is about the phase or a lane. */
  assignment: z.string().nullable(),
  /** The lane that the gate is about; null if it is about none. */
  laneId: z.string().nullable(),
  attempt: z.number().int(),
  /** An agent's question, or its last words if its turn ended. Absent at other gates. */
  words: z.string().optional(),
  state: ApprovalState,
  createdAt: Time,
  resolvedAt: Time.nullable(),
});
export type ApprovalSummary = z.infer<typeof ApprovalSummary>;

export const DecisionView = z.object({
  decisionId: z.string(),
  action: ApprovalDecisionAction,
  comment: z.string().nullable(),
  decidedAt: Time,
  /** Your rule that decided, and the conditions that were met. Absent: you did. */
  by: z.object({ rule: z.string(), met: z.array(z.string()) }).optional(),
});

/** An agent's decision, which devflow refused. */
export const RefusedDecision = z.object({
  sessionId: z.string(),
  roleId: z.string().nullable(),
  action: z.string().nullable(),
  at: Time,
});
export type RefusedDecision = z.infer<typeof RefusedDecision>;

/** The change under decision, from git. */
export const DiffView = z.object({
  base: z.string(),
  head: z.string(),
  files: z.array(z.object({ path: z.string(), insertions: z.number().int(), deletions: z.number().int() })),
  patch: z.string(),
  truncated: z.boolean(),
});
export type DiffView = z.infer<typeof DiffView>;

/** Everything a person needs to decide, in one answer. */
export const ApprovalDetail = ApprovalSummary.extend({
  /** The question, in one sentence. */
  question: z.string(),
  /** The consequence of a decision, where its name does not say it. */
  consequences: z.partialRecord(ApprovalDecisionAction, z.string()).optional(),
  /** The hash that the decision approves. */
  artifactHash: z.string().nullable(),
  timeoutMs: z.number().int().nullable(),
  /** The event's subject: paths, commit, command results, error and hint. */
  subject: z.record(z.string(), z.unknown()),
  /** The actions that are possible now; empty after the decision. */
  actions: z.array(ApprovalDecisionAction),
  artifacts: z.array(ArtifactContent),
  /** Present if the gate shows changes. */
  diff: DiffView.nullable(),
  /** Uncommitted files of the worktree, which the diff lacks. Null after the decision and without a worktree. */
  uncommittedFiles: z.number().int().nullable(),
  /** Repositories inside the worktree, which commit and diff lack. Absent if there are none. */
  nestedRepositories: z.array(z.string()).optional(),
  /** In a loop that is judged by measurements: what is decided on, base, best, targets and holdout, a line each. */
  measured: z.array(z.string()).optional(),
  /** The difference of branch or worktree from the gate's subject. An approval would open a new gate. */
  moved: z.string().optional(),
  commands: z.array(CommandView),
  sessionIds: z.array(z.string()),
  decisions: z.array(DecisionView),
  /** The hash of what the gate shows. A decision may name it. An older daemon does not say. */
  shown: z.string().optional(),
  /** True if a request for changes may have comments, which an agent then answers. Absent if not. */
  takesComments: z.boolean().optional(),
  /** The comments of the run up to this gate, with their answers. Absent if there are none. */
  comments: z.array(CommentView).optional(),
  /** Why your rules for this gate did not pass it. Absent: there are none, or one did. */
  rule: z.object({ why: z.array(z.string()) }).optional(),
  /** Refused decisions since the daemon started. Absent if there are none. */
  refused: z.array(RefusedDecision).optional(),
  /** Everything above on one page, in the order in which a person reads it. A daemon of an older version has none. */
  sheet: Sheet.optional(),
});
export type ApprovalDetail = z.infer<typeof ApprovalDetail>;
