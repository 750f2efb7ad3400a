import type { Client } from '../../cli/client/connect.ts';
import { toApiError } from '../model/apiError.ts';
import type { Entry, Query } from '../model/query.ts';
import { systemTimers, type Timers } from '../timers.ts';

/** Between two reads of one thing, however fast it changes; of what takes long more, so that most of the time is free of it. */
const AGAIN_MS = 100;
const REST = 5;
const LONGEST_MS = 2_000;

function restAfter(took: number): number {
  return Math.max(AGAIN_MS, Math.min(LONGEST_MS, REST * took));
}

/** Keeps what is needed fresh: one read of each under way, and what went stale meanwhile is read once more. */
export interface QueryRefresher {
  /** Exactly these are needed now; those that are new are read at once. */
  want(queries: readonly Query[]): void;
  markStale(which: (query: Query) => boolean): void;
  /** Another connection, of which nothing is known: all is read again. Undefined while there is none. */
  use(client: Client | undefined): void;
}

interface Wanted {
  query: Query;
  stale: boolean;
  reading: boolean;
  cancelTimer?: () => void;
  /** It is not read again before. */
  restsUntil: number;
}

export function createQueryRefresher(
  onRead: (key: string, entry: Entry) => void,
  timers: Timers = systemTimers,
): QueryRefresher {
  const wanted = new Map<string, Wanted>();
  let client: Client | undefined;

  function refresh(each: Wanted): void {
    if (!client || !each.stale || each.reading || each.cancelTimer) return;
    const wait = each.restsUntil - timers.now();
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
      // What another connection took says nothing of this one.
      if (by === client) each.restsUntil = begun + restAfter(timers.now() - begun);
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
        const each = { query, stale: true, reading: false, restsUntil: 0 };
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
    use(next) {
      client = next;
      for (const each of wanted.values()) {
        each.stale = true;
        each.restsUntil = 0;
        refresh(each);
      }
    },
  };
}
