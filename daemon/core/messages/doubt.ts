import { agentName } from '../../../schemas/mainLane.ts';
import type { Message } from '../run/message.ts';
import { sessionOf } from '../run/query.ts';
import type { Run } from '../run/state.ts';

/** The agent of a message, in words. */
export function recipientName(run: Run, { sessionId }: Pick<Message, 'sessionId'>): string {
  const session = sessionOf(run, sessionId);
  return session ? agentName(session) : 'an agent';
}

export function doubtSentence(run: Run, message: Message): string {
  return `A message to ${recipientName(run, message)} may not have arrived.`;
}

/** The commands with which a person says whether it arrived. */
export function doubtCommand({ id }: Pick<Message, 'id'>): string {
  return `devflow message settle ${id.slice(0, 8)} --taken, or --again`;
}
