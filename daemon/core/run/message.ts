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
  proof: MessageProof | null;
  /** The number of its uncertain deliveries; part of event keys. */
  doubts: number;
  /** Why the last delivery was uncertain; null: none was. */
  doubt: string | null;
  /** A person's answer about that delivery, until it is tried again; null: nobody had to. */
  settled: { taken: boolean; nth: number; clientToken: string } | null;
}
