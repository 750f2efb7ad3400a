import type { Performer } from './performer.ts';

/** Ends the agents of an ended run. Their transcripts stay. */
export const disposeSessions: Performer<'disposeSessions'> = async (
  { runId, sessions: recorded },
  { sessions, faults },
) => {
  await sessions.disposeRun(runId, recorded);
  faults.at('disposeSessions.after_dispose');
  return undefined;
};
