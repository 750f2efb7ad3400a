import { isId } from '../ids.ts';
import type { NewComment } from './comment.ts';
import { COMMENT_LIMITS } from './limits.ts';

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
  /** The ids of the drafts that it is made of, in the order of the comments. */
  readonly drafts: readonly string[];
}

const FIELDS = ['path', 'side', 'line', 'endLine', 'artifact', 'pointer', 'quote', 'kind', 'text'] as const;

export function isSameComment(one: NewComment, other: NewComment): boolean {
  return FIELDS.every((field) => one[field] === other[field]);
}

/** False for a draft that was changed after the try: the daemon has its old text only. */
export function isPartOf({ id, comment }: Pick<Draft, 'id' | 'comment'>, { drafts, comments }: Sending): boolean {
  const sent = comments[drafts.indexOf(id)];
  return sent !== undefined && isSameComment(sent, comment);
}

/** A try to send a decision, and the gate and hash that it was about. */
export interface SendingTry {
  readonly approvalId: string;
  readonly shown: string;
  readonly sending: Sending;
}

/** A gate of a run, and the hash of what it shows; empty if the daemon does not say. */
export interface ReviewedGate {
  readonly runId: string;
  readonly approvalId: string;
  readonly shown: string;
}

/** What a person has written and read at the gates of a run. */
export interface Review {
  /** Of this gate, and of earlier ones of the run that were not sent; the oldest first. */
  readonly drafts: readonly Draft[];
  /** The marks of files that a person has read. */
  readonly read: readonly string[];
  /** Of this gate, if an earlier try may have sent it. */
  readonly sending: Sending | undefined;
  /** The ids of drafts that a try may have sent, also at other gates of the run. */
  readonly inFlight: readonly string[];
  /** How many files are no drafts. */
  readonly strange: number;
}

/** What a person does with the files of a review. */
export type DraftAct =
  /** `draft`: the one that it replaces; at this gate, if that was written at another one. */
  | { readonly do: 'write'; readonly draft?: Draft; readonly comment: NewComment }
  | { readonly do: 'remove'; readonly draft: Draft }
  | { readonly do: 'mark'; readonly mark: string; readonly isRead: boolean }
  /** A try to send them counts no more. They stay. */
  | { readonly do: 'forget'; readonly sending: Sending };

/** A comment from a file that anybody may have changed; undefined if it is none. The daemon checks the rest. */
function commentOf(value: unknown): NewComment | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { path, side, line, endLine, artifact, pointer, quote, kind, text } = value as Record<string, unknown>;
  const isSound =
    isText(path, COMMENT_LIMITS.path) &&
    (side === 'new' || side === 'old') &&
    isLine(line) &&
    isLine(endLine) &&
    isText(artifact, 64) &&
    isText(pointer, COMMENT_LIMITS.pointer) &&
    typeof quote === 'string' &&
    quote.length <= COMMENT_LIMITS.quote &&
    (kind === 'change' || kind === 'question') &&
    typeof text === 'string' &&
    text.trim() !== '' &&
    text.length <= COMMENT_LIMITS.text;
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

const SHOWN_LENGTH = 12;

/** The part of the hash that stands in paths and drafts. */
export function shownName({ shown }: Pick<ReviewedGate, 'shown'>): string {
  const begin = shown.slice(0, SHOWN_LENGTH);
  return isShownName(begin) ? begin : 'unknown';
}

/** True for a draft of exactly what the gate shows. */
export function isOf({ approvalId, shown }: Pick<Draft, 'approvalId' | 'shown'>, gate: ReviewedGate): boolean {
  return approvalId === gate.approvalId && shown === shownName(gate);
}

export const isShownName = (name: string): boolean => name === 'unknown' || /^[0-9a-f]{12}$/.test(name);
