import type { NewEvent } from '../../../schemas/events/index.ts';
import type { EffectOf } from '../effect/effect.ts';
import type { OutcomeOf } from '../effect/outcome.ts';
import type { Message } from '../run/message.ts';
import { sessionOf } from '../run/query.ts';
import type { Run } from '../run/state.ts';

/** The agent has it, whatever became of the agent since: nobody may send it again. */
export function messageDelivered(run: Run, outcome: OutcomeOf<'messageDelivered'>): NewEvent[] {
  const { messageId, sessionId, recoveryAttempts, promptId, proof } = outcome;
  const message = messageOf(run, messageId);
  const session = sessionOf(run, sessionId);
  if (!message || !session || !isOpen(message)) return [];
  const { conversation } = session;
  const payload = { messageId, sessionId, promptId, proof, recoveryAttempts, conversation };
  return [{ type: 'message.sent', phaseId: null, payload }];
}

/**
 * A person must say what becomes of a message that could not be delivered, whatever the failure: the run does not depend on it,
 * so no gate asks. The reason says whether the agent may have it.
 */
export function messageFailed(
  run: Run,
  effect: EffectOf<'sendMessage' | 'recoverSession'>,
  reason: string,
): NewEvent[] {
  const message =
    effect.type === 'sendMessage'
      ? messageOf(run, effect.message.messageId)
      : run.messages.find(({ sessionId, state }) => sessionId === effect.session.sessionId && state === 'queued');
  if (message?.state !== 'queued') return [];
  const payload = { messageId: message.id, nth: message.doubts + 1, reason };
  return [{ type: 'message.doubted', phaseId: null, payload }];
}

/** True while the message has neither arrived nor been taken back. */
export function isOpen({ state }: Pick<Message, 'state'>): boolean {
  return state === 'queued' || state === 'uncertain';
}

export function messageOf({ messages }: Pick<Run, 'messages'>, messageId: string): Message | undefined {
  return messages.find(({ id }) => id === messageId);
}
