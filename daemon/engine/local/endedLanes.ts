import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import { hasEnded } from '../core/run/lanes.ts';
import type { Run, Session } from '../core/run/state.ts';

/** Ends the agents of lanes that have landed or were abandoned: an agent that waits for nothing still takes memory. */
export interface EndedLanes {
  /** Call it after each commit, and with no run before at the start of the daemon, which may have died before it did it. */
  release(before: Run | undefined, after: Run): void;
}

export function createEndedLanes(options: {
  sessions: Pick<SessionManager, 'disposeSessions'>;
  log: Pick<Logger, 'warn'>;
}): EndedLanes {
  const { sessions, log } = options;
  return {
    release(before, after) {
      // The end of a run ends all its agents, in order.
      if (isTerminal(after.state) || after.lanes === before?.lanes) return;
      const isNew = (session: Session) => hasEnded(after, session) && !(before && hasEnded(before, session));
      const ended = after.sessions.filter(isNew).map(({ id: sessionId, backend }) => ({ sessionId, backend }));
      if (ended.length === 0) return;
      sessions.disposeSessions(after.id, ended).catch((err: unknown) => {
        log.warn({ err, runId: after.id }, 'agents of ended lanes could not be ended; the end of the run ends them');
      });
    },
  };
}
