import type { Model } from '../model/model.ts';
import type { Query } from '../model/query.ts';
import type { Stream } from '../model/screen.ts';

/** Answers and logs kept after their screen is left, so that going back shows them at once. */
const MAX_ANSWERS = 200;
const MAX_LOGS = 4;

/** The model without data that is neither on screen nor recent. Browsing a thousand runs must not fill the memory. */
export function evictUnused(model: Model, queries: readonly Query[], streams: readonly Stream[]): Model {
  const data = newest(model.data, MAX_ANSWERS, new Set(queries.map(({ key }) => key)));
  const followed = new Set(streams.map(idOf));
  const logs = newest(model.logs, MAX_LOGS, followed);
  // A transcript is read again each time its screen opens.
  const transcripts = newest(model.transcripts, 0, followed);
  const reviews = newest(model.reviews, 0, followed);
  const isSame =
    data === model.data && logs === model.logs && transcripts === model.transcripts && reviews === model.reviews;
  return isSame ? model : { ...model, data, logs, transcripts, reviews };
}

function idOf(stream: Stream): string {
  if (stream.type === 'contracts') return stream.repo;
  if (stream.type === 'review') return stream.gate.approvalId;
  return stream.type === 'events' ? stream.runId : stream.sessionId;
}

/** All entries on screen and the newest others. The same map if nothing is evicted. */
function newest<T>(all: ReadonlyMap<string, T>, most: number, shown: ReadonlySet<string>): ReadonlyMap<string, T> {
  const spare = [...all.keys()].filter((key) => !shown.has(key));
  if (spare.length <= most) return all;
  const kept = new Map(all);
  for (const key of spare.slice(0, spare.length - most)) kept.delete(key);
  return kept;
}
