import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { agentLoss } from './agentLoss.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { sessionInput } from './sessionInput.ts';

/** Probes, then resumes or restarts the agent. A failure counts as another crash. */
export const recoverSession: Performer<'recoverSession'> = async ({ session, how }, ports) => {
  const { sessions, faults } = ports;
  const { sessionId, recoveryAttempts } = session;
  try {
    await keepWorktree(session.runId, session.lane, ports);
    // After a restart the manager must know the session before it can recover it. That it is dead is expected.
    await sessions.ensure(sessionInput(session)).catch(rethrowShutdown);
    const recovered = await sessions.recover(sessionId, how);
    faults.at('recoverSession.after_recovery');
    return { type: 'sessionRecovered', sessionId, ...recovered };
  } catch (error) {
    return { type: 'sessionLost', sessionId, error: agentLoss(error), recoveryAttempts };
  }
};

function rethrowShutdown(error: unknown): void {
  if (toErrorRecord(error).code === 'shutting_down') throw error;
}
