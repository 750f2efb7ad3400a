import { counted } from '../../schemas/counted.ts';
import { withLocalTimes } from '../../schemas/localTime.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printFacts, printJson } from '../print/output.ts';
import { localTime, stallText } from '../print/text.ts';

export const action: Action = async ([sessionId]: [string], { json }: { json?: boolean }, io) => {
  const session = await withDaemon(io, (client) => client.call('session.get', { sessionId }));
  if (json) printJson(io, session);
  else {
    printFacts(io, [
      ['session', session.sessionId],
      ['run', session.runId],
      ['role', session.roleId],
      ['lane', session.laneId],
      ['backend', session.backend],
      ['state', sessionState(session.state)],
      ['blocked by', stallText(session.stall)],
      ['since', session.stall && localTime(session.stall.since)],
      ['failure', session.failure && `${withLocalTimes(session.failure.reason)} (${session.failure.code})`],
      ['hint', withLocalTimes(session.recoveryHint)],
      ['phase', session.phaseKey],
      ['directory', session.cwd],
      ['artifact', session.expectedArtifactPath],
      ['schema', session.expectedSchema],
      ['pane', session.paneId && `${session.tmuxSession}:${session.tmuxWindow} ${session.paneId}`],
      ['process', session.panePid],
      ['recoveries', session.recoveryAttempts],
      ['last prompt', localTime(session.lastPromptAt)],
      ['transcript', counted(session.lastTranscriptSeq, 'chunk')],
    ]);
  }
  return 0;
};
