import { sessionState } from '../../../schemas/states/session.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { calls } from '../../daemon/withDaemon.ts';
import type { Session } from '../../define/session.ts';
import { printFacts, printHeading } from '../../print/output.ts';
import { localTime, stallText, visible } from '../../print/text.ts';

export const action: Session['show'] = calls('session.get', (io, session) => {
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
    ['messages', session.messages && `${counted(session.messages, 'message')} waiting: devflow message list`],
    ['transcript', counted(session.lastTranscriptSeq, 'chunk')],
  ]);
  if (!session.lastWords) return;
  printHeading(io, 'Last words');
  for (const line of session.lastWords.text.split('\n')) io.out(`${visible(line)}\n`);
});
