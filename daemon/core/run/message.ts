import type { MessageAuthor, MessageCause, MessageProof } from '../../../schemas/events/message.ts';

/** A text to the agent of one session, beside the prompts of phases. */
export interface Message {
  id: string;
  sessionId: string;
  text: string;
  by: MessageAuthor;
  /** Why devflow wrote it; null: somebody else did. */
  why: MessageCause | null;
  now: boolean;
  /** `uncertain`: it may have arrived, and a person must say so. */
  state: 'queued' | 'sent' | 'withdrawn' | 'uncertain';
  at: string;
  sentAt: string | null;
  /** The number of the session's conversation that has it; null until it was sent. */
  conversation: number | null;
  proof: MessageProof | null;
  /** The number of its uncertain deliveries; part of event keys. */
  doubts: number;
  /** Why the last delivery was uncertain; null: none was. */
  doubt: string | null;
  /** A person's answer about that delivery, until it is tried again; null: nobody had to. */
  settled: { taken: boolean; nth: number; clientToken: string } | null;
}

/** True while the message has neither arrived nor been taken back. */
export function isOpen({ state }: Pick<Message, 'state'>): boolean {
  return state === 'queued' || state === 'uncertain';
}

/** The messages to the agent that have neither arrived nor been taken back, the oldest first. */
export function openMessagesOf({ messages }: { messages: readonly Message[] }, sessionId: string): Message[] {
  return messages.filter((each) => each.sessionId === sessionId && isOpen(each));
}

/** True for what devflow writes to keep an agent going that a person leads. */
export function keepsGoing({ why }: Pick<Message, 'why'>): boolean {
  return why !== null && why !== 'requirements' && why !== 'changes';
}
