import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import { isSessionEnded } from '../core/run/lanes.ts';
import type { Run, Session } from '../core/run/state.ts';

/** Ends the agents of lanes that have landed or were abandoned: an agent that waits for nothing still takes memory. */
export interface LaneAgents {
  /**
   * Call it after each commit. At the start of the daemon, call it without `before`: the last daemon may have died before it
   * ended them.
   */
  endThoseOfEndedLanes(before: Run | undefined, after: Run): void;
}

export function createLaneAgents(options: {
  sessions: Pick<SessionManager, 'endAgents'>;
  log: Pick<Logger, 'warn'>;
}): LaneAgents {
  const { sessions, log } = options;
  return {
    endThoseOfEndedLanes(before, after) {
      // The effect `disposeSessions` ends the agents of an ended run.
      if (isTerminal(after.state) || after.lanes === before?.lanes) return;
      const hasJustEnded = (session: Session) =>
        isSessionEnded(after, session) && !(before && isSessionEnded(before, session));
      const ended = after.sessions.filter(hasJustEnded).map(({ id: sessionId, backend }) => ({ sessionId, backend }));
      if (ended.length === 0) return;
      sessions.endAgents(after.id, ended).catch((err: unknown) => {
        log.warn({ err, runId: after.id }, 'agents of ended lanes could not be ended; the end of the run ends them');
      });
    },
  };
}
