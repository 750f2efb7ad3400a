import type { NewComment } from '../../../schemas/comments/comment.ts';
import { isId } from '../../../schemas/ids.ts';

/** A comment that was not sent yet. */
export interface Draft {
  readonly id: string;
  /** The gate at which it was written, and the hash of what that showed. */
  readonly approvalId: string;
  readonly shown: string;
  /** When it was written, as an ISO time. */
  readonly at: string;
  readonly comment: NewComment;
}

/** A decision that may have been sent. Sent again with the same token, it is the same decision. */
export interface Sending {
  readonly clientToken: string;
  readonly comments: readonly NewComment[];
  /** The ids of the drafts that it is made of. */
  readonly drafts: readonly string[];
}

const MOST_TEXT = 4000;
const MOST_QUOTE = 2000;
const MOST_PATH = 4096;

/** A comment from a file that anybody may have changed; undefined if it is none. The daemon checks the rest. */
export function commentOf(value: unknown): NewComment | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { path, side, line, endLine, artifact, pointer, quote, kind, text } = value as Record<string, unknown>;
  const isSound =
    isText(path, MOST_PATH) &&
    (side === 'new' || side === 'old') &&
    isLine(line) &&
    isLine(endLine) &&
    isText(artifact, 64) &&
    isText(pointer, 1000) &&
    typeof quote === 'string' &&
    quote.length <= MOST_QUOTE &&
    (kind === 'change' || kind === 'question') &&
    typeof text === 'string' &&
    text.trim() !== '' &&
    text.length <= MOST_TEXT;
  if (!isSound) return undefined;
  return { path, side, line, endLine, artifact, pointer, quote, kind, text } as NewComment;
}

const isText = (value: unknown, most: number) =>
  value === null || (typeof value === 'string' && value !== '' && value.length <= most);
const isLine = (value: unknown) => value === null || (Number.isSafeInteger(value) && (value as number) > 0);

/** What a file of a draft has: the comment and its time. */
export function draftOf(text: string): Pick<Draft, 'at' | 'comment'> | undefined {
  const { at, comment } = objectOf(text);
  const sound = commentOf(comment);
  return sound && typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at, comment: sound } : undefined;
}

export function sendingOf(text: string): Sending | undefined {
  const { clientToken, comments, drafts } = objectOf(text);
  if (typeof clientToken !== 'string' || !isId(clientToken) || !Array.isArray(comments) || !Array.isArray(drafts))
    return undefined;
  const sound = comments.map(commentOf).filter((each) => each !== undefined);
  if (
    sound.length !== comments.length ||
    sound.length === 0 ||
    !drafts.every((each) => typeof each === 'string' && isId(each))
  )
    return undefined;
  return { clientToken, comments: sound, drafts };
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
