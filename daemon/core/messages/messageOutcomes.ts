import type { NewEvent } from '../../../schemas/events/index.ts';
import type { EffectOf } from '../effect/effect.ts';
import type { OutcomeOf } from '../effect/outcome.ts';
import { ledPhaseOf } from '../run/led.ts';
import { isOpen, type Message } from '../run/message.ts';
import { sessionOf } from '../run/query.ts';
import { crash } from '../run/sessionBudget.ts';
import type { Run } from '../run/state.ts';

/** The agent has it, whatever became of the agent since: nobody may send it again. */
export function messageDelivered(run: Run, outcome: OutcomeOf<'messageDelivered'>): NewEvent[] {
  const { messageId, sessionId, recoveryAttempts, promptId, proof, takerEnded } = outcome;
  const message = messageOf(run, messageId);
  const session = sessionOf(run, sessionId);
  if (!message || !session || !isOpen(message)) return [];
  const { conversation } = session;
  const payload = { messageId, sessionId, promptId, proof, recoveryAttempts, conversation };
  // The turn of an agent that a person leads ended with its program, so it is broken off.
  const isBrokenOff = takerEnded && session.state === 'READY' && ledPhaseOf(run, sessionId) !== undefined;
  const ended = isBrokenOff
    ? [crash(session, 'pane_briefly_unresponsive', 'The agent exited while it worked on a message.')]
    : [];
  return [{ type: 'message.sent', phaseId: null, payload }, ...ended];
}

/**
 * A person must say what becomes of a message that could not be delivered, whatever the failure. No gate asks: the run does not
 * depend on it. The reason says whether the agent may have it.
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

export function messageOf({ messages }: Pick<Run, 'messages'>, messageId: string): Message | undefined {
  return messages.find(({ id }) => id === messageId);
}
