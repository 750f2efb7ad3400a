import { z } from 'zod';
import { Comment, CommentAnswer } from './comment.ts';

/** An answer, and whose it is. */
export const AnswerView = CommentAnswer.omit({ id: true }).extend({
  phaseKey: z.string(),
  /** The role, or in a lane the task. */
  assignment: z.string(),
  at: z.string(),
});
export type AnswerView = z.infer<typeof AnswerView>;

/** Where a comment's lines are now. `changed`: in their place is something else. `outdated`: nobody can say. */
export const CommentPlace = z.strictObject({
  path: z.string(),
  line: z.number().int().positive().nullable(),
  endLine: z.number().int().positive().nullable(),
  as: z.enum(['same', 'moved', 'changed', 'outdated']),
});
export type CommentPlace = z.infer<typeof CommentPlace>;

/** A comment with what became of it. */
export const CommentView = Comment.extend({
  approvalId: z.string(),
  gateKey: z.string(),
  at: z.string(),
  /** The phase whose agents must answer. */
  phaseKey: z.string(),
  state: z.enum(['open', 'answered', 'told', 'unanswered']),
  /** Why nobody answers it; null unless it is unanswered. */
  reason: z.string().nullable(),
  answers: z.array(AnswerView),
  /** Null if it is about no file, or if that was not looked up. */
  now: CommentPlace.nullable(),
  /** What changed in its file since; null if nothing did, or if that was not looked up. */
  patch: z.string().nullable(),
});
export type CommentView = z.infer<typeof CommentView>;
