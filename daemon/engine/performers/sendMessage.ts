import { defined } from '../../../schemas/defined.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { keepWorktree, worktreeRestored } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { sessionInput } from './sessionInput.ts';

/**
 * Delivers one message. It waits until the agent is free, and gives up when it is aborted before anything is typed. A failed
 * delivery restarts no agent: the run does not depend on it.
 */
export const sendMessage: Performer<'sendMessage'> = async (effect, ports, signal) => {
  const { sessions, faults } = ports;
  const { session, message, assumeTaken, answer } = effect;
  const { sessionId, recoveryAttempts } = session;
  try {
    if (await keepWorktree(session.runId, session.lane, ports)) throw worktreeRestored(session.cwd);
    await sessions.ensure(sessionInput(session));
  } catch (error) {
    const record = toErrorRecord(error);
    if (record.class !== 'recoverable' || record.code === 'shutting_down') throw error;
    return { type: 'sessionLost', sessionId, error: record, recoveryAttempts };
  }
  faults.at('sendMessage.before_delivery');
  const sent = await sessions.sendPrompt(sessionId, message, { assumeTaken, answer, giveUp: signal });
  faults.at('sendMessage.after_delivery');
  const { promptId, proof, takerEnded } = sent;
  const facts = { messageId: message.messageId, sessionId, recoveryAttempts, promptId, proof };
  return { type: 'messageDelivered', ...facts, ...defined({ takerEnded }) };
};
