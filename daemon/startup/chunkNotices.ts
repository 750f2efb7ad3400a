import type pg from 'pg';
import type { EventBus } from '../events/bus.ts';
import type { ChunkAppended } from '../sessions/transcript/transcript.ts';

/** Hosts also announce their commits on this channel. An older devflow ignores notices that it does not know. */
export const HOSTS_CHANNEL = 'devflow_commits';

/**
 * Announces to the other hosts that a transcript has grown, so that a person can follow it there. A notice may be lost: the next
 * one makes the follower read everything that is new.
 */
export function createChunkNotices(pool: Pick<pg.Pool, 'query'>, bus: Pick<EventBus, 'hint'>, hostId: string) {
  return {
    send({ runId, sessionId, seq }: ChunkAppended): void {
      const notice = `${hostId} ${runId} ${sessionId} ${seq}`;
      pool.query('SELECT pg_notify($1, $2)', [HOSTS_CHANNEL, notice]).catch(() => {});
    },
    /** Puts a notice of another host on this host's bus. Returns false if it is not about a transcript. */
    receive(notice: string): boolean {
      const [, host, runId, sessionId, seq] = /^(\S+) (\S+) (\S+) (\d+)$/.exec(notice) ?? [];
      if (runId === undefined || sessionId === undefined) return false;
      const data = { runId, sessionId, seq: Number(seq) };
      if (host !== hostId) bus.hint(runId, { event: 'transcript.chunk_appended', data });
      return true;
    },
  };
}
