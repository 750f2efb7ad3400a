import type { Comment, CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { Anchor } from '../../../schemas/place/place.ts';

/** Where a comment's quote stands in what the gate shows, as the interpreter read it. */
export type Placed =
  | { place: 'same'; quote: string; anchor: Anchor | null }
  /** `line`: where the quote stands. */
  | { place: 'moved'; line: number; reason: string }
  | { place: 'outdated'; reason: string };

/** A recorded comment, the phase that must answer it, and the answers. */
export interface RunComment extends Comment {
  approvalId: string;
  gateKey: string;
  at: string;
  phaseId: string;
  /** By the key of the assignment. */
  answers: (Omit<CommentAnswer, 'id'> & { assignment: string; at: string })[];
}
