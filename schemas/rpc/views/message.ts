import { z } from 'zod';
import { MessageAuthor, MessageCause, MessageProof } from '../../events/message.ts';
import { MESSAGE_STATES } from '../../names.ts';
import { Time } from './refs.ts';

/** `dropped`: it still waited when its run, or the lane of its agent, ended. */
export const MessageState = z.enum(MESSAGE_STATES);
export type MessageState = z.infer<typeof MessageState>;

/** A text to an agent, beside the prompts of phases. */
export const MessageView = z.object({
  messageId: z.string(),
  runId: z.string(),
  sessionId: z.string(),
  roleId: z.string(),
  laneId: z.string(),
  text: z.string(),
  by: MessageAuthor,
  /** Why devflow wrote it. Absent: somebody else did. */
  why: MessageCause.optional(),
  state: MessageState,
  /** Its place among the messages that wait for the same agent, from 1; null if it waits for none. */
  position: z.number().int().positive().nullable(),
  /** What it waits for, as the end of a sentence; null if it waits for nothing. */
  waitsFor: z.string().nullable(),
  at: Time,
  sentAt: Time.nullable(),
  /** Why it counts as sent. */
  proof: MessageProof.nullable(),
  /** Why nobody knows whether it arrived; null if somebody does. */
  doubt: z.string().nullable(),
});
export type MessageView = z.infer<typeof MessageView>;
