import type { Logger } from 'pino';
import { isLaneEnded, isTerminal } from '../../../schemas/enums.ts';
import { isDetached, isSessionEnded } from '../../core/run/lanes.ts';
import type { Lane, Run, Session } from '../../core/run/state.ts';
import type { SessionManager } from '../../sessions/manager.ts';

/**
 * Ends the agents of ended lanes, because an agent that waits for nothing still takes memory. Then removes the worktrees of
 * readers. Other lanes have a branch, and their worktrees stay.
 */
export interface LaneAgents {
  /**
   * Call it after each commit. At the start of the daemon, call it without `before`: the last daemon may have died before it
   * did all.
   */
  clearEndedLanes(before: Run | undefined, after: Run): void;
}

export function createLaneAgents(options: {
  sessions: Pick<SessionManager, 'endAgents'>;
  removeWorktree(place: { repoPath: string; path: string }): Promise<void>;
  log: Pick<Logger, 'warn'>;
}): LaneAgents {
  const { sessions, removeWorktree, log } = options;

  async function clear({ id: runId, repoPath }: Run, ended: readonly Session[], readers: readonly Lane[]) {
    if (ended.length > 0) {
      const agents = ended.map(({ id: sessionId, backend }) => ({ sessionId, backend }));
      await sessions.endAgents(runId, agents);
    }
    for (const { path } of readers) await removeWorktree({ repoPath, path });
  }

  return {
    clearEndedLanes(before, after) {
      // The effects `disposeSessions` and `composeReport` do this for an ended run.
      if (isTerminal(after.state) || after.lanes === before?.lanes) return;
      const hasJustEnded = (session: Session) =>
        isSessionEnded(after, session) && !(before && isSessionEnded(before, session));
      const ended = after.sessions.filter(hasJustEnded);
      const wasClosed = new Set(before?.lanes.filter(isClosedReader).map(({ id }) => id));
      const readers = after.lanes.filter((lane) => isClosedReader(lane) && !wasClosed.has(lane.id));
      clear(after, ended, readers).catch((err: unknown) => {
        log.warn({ err, runId: after.id }, 'an ended lane could not be cleared; the end of the run clears it');
      });
    },
  };
}

function isClosedReader(lane: Lane): boolean {
  return isDetached(lane) && isLaneEnded(lane.state);
}
