import type pg from 'pg';
import type { EventBus } from '../events/bus.ts';
import type { ChunkAppended } from '../sessions/transcript/transcript.ts';

/** The channel on which hosts also tell of their commits. A devflow that does not know these notices ignores them. */
export const HOSTS_CHANNEL = 'devflow_commits';

/**
 * Tells the other hosts that a transcript has grown, so that it can be followed there. A notice may be lost: who follows reads
 * all that is new at the next one.
 */
export function createChunkNotices(pool: Pick<pg.Pool, 'query'>, bus: Pick<EventBus, 'hint'>, hostId: string) {
  return {
    tell({ runId, sessionId, seq }: ChunkAppended): void {
      const notice = `${hostId} ${runId} ${sessionId} ${seq}`;
      pool.query('SELECT pg_notify($1, $2)', [HOSTS_CHANNEL, notice]).catch(() => {});
    },
    /** Takes a notice of another host. Returns false for one about something else. */
    take(notice: string): boolean {
      const [, host, runId, sessionId, seq] = /^(\S+) (\S+) (\S+) (\d+)$/.exec(notice) ?? [];
      if (runId === undefined || sessionId === undefined) return false;
      const data = { runId, sessionId, seq: Number(seq) };
      if (host !== hostId) bus.hint(runId, { event: 'transcript.chunk_appended', data });
      return true;
    },
  };
}
