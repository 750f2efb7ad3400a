import { toErrorRecord } from '../../../schemas/errors.ts';
import type { Performer } from './performer.ts';
import { sessionInput } from './sessionInput.ts';

/** Starts the role's agent, or adopts the one that an earlier daemon started. */
export const startSession: Performer<'startSession'> = async ({ session }, { sessions, faults }) => {
  const { sessionId, recoveryAttempts } = session;
  try {
    await sessions.start(sessionInput(session));
  } catch (error) {
    const record = toErrorRecord(error);
    if (record.code === 'shutting_down') throw error;
    return { type: 'sessionLost', sessionId, error: record, recoveryAttempts };
  }
  faults.at('startSession.after_start');
  return { type: 'sessionReady', sessionId };
};
