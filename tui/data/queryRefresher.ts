import type { Client } from '../../cli/client/connect.ts';
import { toApiError } from '../model/apiError.ts';
import type { Answer, Query } from '../model/query.ts';
import { systemTimers, type Timers } from '../system/timers.ts';

/** The time between two reads of one query. It grows with the read, so a slow read never keeps the daemon busy. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const PAUSE_PER_READ_MS = 5;

function pauseAfter(readMs: number): number {
  return Math.max(MIN_PAUSE_MS, Math.min(MAX_PAUSE_MS, PAUSE_PER_READ_MS * readMs));
}

/** Keeps the answers on screen fresh. It reads each query at most once at a time, and again if it went stale meanwhile. */
export interface QueryRefresher {
  /** Exactly these queries are on screen now. New ones are read at once. */
  want(queries: readonly Query[]): void;
  markStale(which: (query: Query) => boolean): void;
  /** Reads everything again over a new connection, except what is `known` from it. Undefined while there is none. */
  use(client: Client | undefined, known?: ReadonlyMap<string, unknown>): void;
}

interface Wanted {
  query: Query;
  stale: boolean;
  reading: boolean;
  cancelTimer?: () => void;
  notBefore: number;
}

export function createQueryRefresher(
  onRead: (key: string, entry: Answer) => void,
  timers: Timers = systemTimers,
): QueryRefresher {
  const wanted = new Map<string, Wanted>();
  let client: Client | undefined;

  function refresh(each: Wanted): void {
    if (!client || !each.stale || each.reading || each.cancelTimer) return;
    const wait = each.notBefore - timers.now();
    if (wait > 0) {
      each.cancelTimer = timers.after(wait, () => {
        each.cancelTimer = undefined;
        refresh(each);
      });
      return;
    }
    void read(each, client);
  }

  async function read(each: Wanted, by: Client): Promise<void> {
    const { key, method, params } = each.query;
    each.reading = true;
    each.stale = false;
    const begun = timers.now();
    try {
      const value = await by.request(method, params);
      if (by === client) onRead(key, { value });
    } catch (error) {
      if (by === client) onRead(key, { error: toApiError(error) });
    } finally {
      each.reading = false;
      // Timings of an old connection do not count.
      if (by === client) each.notBefore = begun + pauseAfter(timers.now() - begun);
      if (wanted.get(key) === each) refresh(each);
    }
  }

  return {
    want(queries) {
      const keys = new Set(queries.map(({ key }) => key));
      for (const [key, { cancelTimer }] of wanted) {
        if (keys.has(key)) continue;
        cancelTimer?.();
        wanted.delete(key);
      }
      for (const query of queries) {
        if (wanted.has(query.key)) continue;
        const each = { query, stale: true, reading: false, notBefore: 0 };
        wanted.set(query.key, each);
        refresh(each);
      }
    },
    markStale(which) {
      for (const each of wanted.values()) {
        if (!which(each.query)) continue;
        each.stale = true;
        refresh(each);
      }
    },
    use(next, known) {
      client = next;
      for (const [key, each] of wanted) {
        each.stale = !known?.has(key);
        each.notBefore = 0;
        if (each.stale) refresh(each);
        else onRead(key, { value: known?.get(key) });
      }
    },
  };
}
