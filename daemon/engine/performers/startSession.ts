import { agentLoss } from './agentLoss.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { sessionInput } from './sessionInput.ts';

/** Starts the role's agent, or adopts it if an earlier daemon started it. */
export const startSession: Performer<'startSession'> = async ({ session }, ports) => {
  const { sessions, faults } = ports;
  const { sessionId, recoveryAttempts } = session;
  try {
    await keepWorktree(session.runId, session.lane, ports);
    await sessions.start(sessionInput(session));
  } catch (error) {
    return { type: 'sessionLost', sessionId, error: agentLoss(error), recoveryAttempts };
  }
  faults.at('startSession.after_start');
  return { type: 'sessionReady', sessionId };
};
