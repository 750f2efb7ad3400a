import { z } from 'zod';
import { unstorableText } from '../definitions/unstorableText.ts';
import { Anchor } from '../place/place.ts';
import { COMMENT_LIMITS } from './limits.ts';

/** The most of one decision. The texts together are part of one prompt. */
export const MOST_COMMENTS = 100;
export const MOST_TEXT = 64 * 1024;

const storable = (text: string) => unstorableText(text).length === 0;
const Kept = z.string().refine(storable, 'leave out NUL and halves of characters');
const line = z.number().int().positive().nullable().default(null);

/**
 * A person's comment, as a client sends it. About the whole change: all places are null. About a file: only `path`. About
 * lines: `path` and `line`. About a document: `artifact`, and mostly `pointer`.
 */
export const NewComment = z.strictObject({
  path: Kept.min(1).max(COMMENT_LIMITS.path).nullable().default(null),
  /** `old`: lines that the change removed. */
  side: z.enum(['new', 'old']).default('new'),
  line,
  endLine: line,
  /** SHA-256 of the document's bytes. */
  artifact: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  /** A JSON pointer into the document; in a document that is not JSON, `/` and the number of a line. */
  pointer: Kept.max(COMMENT_LIMITS.pointer).nullable().default(null),
  /** The lines as they were shown. Empty: as they are. */
  quote: Kept.max(COMMENT_LIMITS.quote).default(''),
  kind: z.enum(['change', 'question']).default('change'),
  text: Kept.max(COMMENT_LIMITS.text).refine((text) => text.trim() !== '', 'say something'),
});
export type NewComment = z.infer<typeof NewComment>;

export const CommentId = z.string().regex(/^c[1-9]\d{0,4}$/);

/** A comment in the log. Ids count in the run, so that later gates name earlier comments. */
export const Comment = NewComment.extend({
  id: CommentId,
  /** Where its first line stands; null if it is about no line, or a blank one. */
  anchor: Anchor.nullable(),
});
export type Comment = z.infer<typeof Comment>;

/** An agent's answer to a comment. */
export const CommentAnswer = z.strictObject({
  id: CommentId,
  action: z.enum(['fixed', 'disputed', 'wont_fix', 'answered']),
  /** The schema of the file limits it. */
  note: z.string(),
});
export type CommentAnswer = z.infer<typeof CommentAnswer>;

/** The schema of the file with an agent's answers. */
export const ANSWERS_SCHEMA = 'dev/comment-answers@1';

/** Why the places of a comment do not fit together, as a sentence; undefined if they do. */
export function placesFault({ path, line, endLine, artifact, pointer, side, quote }: NewComment): string | undefined {
  if (artifact !== null && path !== null) return 'It names a file and a document. Name one of them.';
  if (pointer !== null && artifact === null) return 'It has a pointer and no document.';
  if (line !== null && path === null) return 'It has a line and no file.';
  if (endLine !== null && line === null) return 'It has an end and no first line.';
  if (endLine !== null && line !== null && endLine < line) return 'Its last line is before its first one.';
  if (side === 'old' && path === null) return 'It is about removed lines and names no file.';
  if (quote !== '' && line === null && artifact === null) return 'It quotes a text and names no line.';
  return undefined;
}
