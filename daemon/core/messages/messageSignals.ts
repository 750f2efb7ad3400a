import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { MessageAuthor } from '../../../schemas/events/message.ts';
import { runState } from '../../../schemas/states/run.ts';
import { isOpen, type Message } from '../run/message.ts';
import type { Run } from '../run/state.ts';
import { messageOf } from './messageOutcomes.ts';
import { recipientsOf } from './recipients.ts';

/** What people do with messages. */
export type MessageSignal =
  | { type: 'queueMessage'; messageId: string; sessionId: string; text: string; by: MessageAuthor }
  | { type: 'withdrawMessage'; messageId: string }
  | { type: 'settleMessage'; messageId: string; taken: boolean; clientToken: string };

/** The events of such a signal, or why it is refused. The same signal again has no events. */
export function messageSignal(run: Run, signal: MessageSignal): NewEvent[] | DevflowError {
  const message = messageOf(run, signal.messageId);
  if (signal.type === 'queueMessage') return message ? [] : queue(run, signal);
  if (!message)
    return new DevflowError('not_found', `Run ${run.id} has no message ${signal.messageId}.`, { runId: run.id });
  if (signal.type === 'withdrawMessage') return withdraw(run, message);
  return settleDoubt(run, message, signal);
}

function queue(
  run: Run,
  { messageId, sessionId, text, by }: Extract<MessageSignal, { type: 'queueMessage' }>,
): NewEvent[] | DevflowError {
  if (isTerminal(run.state))
    return conflict(run, `Run ${run.id} has ended (${runState(run).word}): its agents are gone.`);
  const recipient = recipientsOf(run).find((each) => each.sessionId === sessionId);
  if (!recipient) return new DevflowError('not_found', `Run ${run.id} has no session ${sessionId}.`, { runId: run.id });
  if (recipient.hasEnded) return conflict(run, `The agent of ${recipient.roleId} has ended with its lane.`);
  return [{ type: 'message.queued', phaseId: null, payload: { messageId, sessionId, text, by } }];
}

function withdraw(run: Run, message: Message): NewEvent[] | DevflowError {
  if (message.state === 'withdrawn') return [];
  if (!isOpen(message)) return conflict(run, 'The agent has the message already.');
  if (isTerminal(run.state)) return conflict(run, `The message was dropped when run ${run.id} ended.`);
  return [{ type: 'message.withdrawn', phaseId: null, payload: { messageId: message.id } }];
}

function settleDoubt(
  run: Run,
  { id: messageId, state, doubts, settled }: Message,
  { taken, clientToken }: Extract<MessageSignal, { type: 'settleMessage' }>,
): NewEvent[] | DevflowError {
  if (state === 'queued' && settled?.clientToken === clientToken) return [];
  if (state !== 'uncertain') return conflict(run, 'The delivery of this message is not in doubt.');
  if (isTerminal(run.state)) return conflict(run, `Run ${run.id} has ended (${runState(run).word}).`);
  return [{ type: 'message.settled', phaseId: null, payload: { messageId, nth: doubts, taken, clientToken } }];
}

function conflict(run: Run, message: string): DevflowError {
  return new DevflowError('state_conflict', message, { runId: run.id, data: defined({ currentState: run.state }) });
}
