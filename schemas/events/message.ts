import { z } from 'zod';
import { defineEvent } from './define.ts';

/** The most bytes of one message, as UTF-8. */
export const LONGEST_MESSAGE = 262_144;

/** Who asked for a message. `program`: one that a person runs. `devflow`: devflow itself, to an agent that a person leads. */
export const MessageAuthor = z.enum(['person', 'program', 'devflow']);
export type MessageAuthor = z.infer<typeof MessageAuthor>;

/** Why devflow writes to an agent that a person leads. */
export const MessageCause = z.enum(['requirements', 'changes', 'crash', 'hung', 'quota', 'error', 'anew']);
export type MessageCause = z.infer<typeof MessageCause>;

/**
 * The reason why a message counts as taken. `hook`: the program said so. `conversation`: its record has the text. `turn`: a turn
 * began after Enter. `later`: the program took what came after it. `person`: a person said so.
 */
export const MessageProof = z.enum(['hook', 'conversation', 'turn', 'later', 'person']);
export type MessageProof = z.infer<typeof MessageProof>;

const messageId = z.string();
const nth = z.number().int().positive();
const perMessage =
  (type: string) =>
  ({ payload }: { payload: { messageId: string } }) =>
    `${type}:${payload.messageId}`;
const perDoubt =
  (type: string) =>
  ({ payload }: { payload: { messageId: string; nth: number } }) =>
    `${type}:${payload.messageId}:${payload.nth}`;

export const messageEvents = [
  defineEvent(
    'message.queued',
    z.strictObject({
      messageId,
      /** Of a session that exists, or that the run will create. */
      sessionId: z.string(),
      text: z.string().min(1),
      by: MessageAuthor,
      /** Absent: somebody wrote it. */
      why: MessageCause.optional(),
      /** The author does not want to wait for the end of the agent's turn. */
      now: z.literal(true).optional(),
    }),
    perMessage('message.queued'),
  ),
  defineEvent(
    'message.sent',
    z.strictObject({
      messageId,
      sessionId: z.string(),
      promptId: z.string(),
      proof: MessageProof,
      recoveryAttempts: z.number().int().nonnegative(),
      /** The number of the session's conversation that has it. */
      conversation: z.number().int().positive(),
    }),
    perMessage('message.sent'),
  ),
  defineEvent('message.withdrawn', z.strictObject({ messageId }), perMessage('message.withdrawn')),
  /** Nothing proves that the agent has it, or that it has it not. */
  defineEvent('message.doubted', z.strictObject({ messageId, nth, reason: z.string() }), perDoubt('message.doubted')),
  /** A person looked into the pane. `taken`: the agent has it; else devflow sends it again. */
  defineEvent(
    'message.settled',
    z.strictObject({ messageId, nth, taken: z.boolean(), clientToken: z.string() }),
    perDoubt('message.settled'),
  ),
] as const;
