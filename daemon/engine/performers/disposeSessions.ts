import { endCommandsOf } from '../../commands/endMarked.ts';
import type { Performer } from './performer.ts';

/** Ends the agents of an ended run, and what its commands left running. Transcripts stay. */
export const disposeSessions: Performer<'disposeSessions'> = async (
  { runId, sessions: recorded },
  { sessions, faults },
) => {
  await sessions.disposeRun(runId, recorded);
  await endCommandsOf(runId);
  faults.at('disposeSessions.after_dispose');
  return undefined;
};
