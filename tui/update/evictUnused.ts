import type { Model } from '../model/model.ts';
import type { Query } from '../model/query.ts';
import type { Stream } from '../model/screen.ts';

/** Answers and logs that are kept although nothing shows them, so that going back is at once. */
const MOST_ANSWERS = 200;
const MOST_LOGS = 4;

/** The model without what is neither shown nor recent: somebody who walks through a thousand runs keeps none of them. */
export function evictUnused(model: Model, queries: readonly Query[], streams: readonly Stream[]): Model {
  const data = newest(model.data, MOST_ANSWERS, new Set(queries.map(({ key }) => key)));
  const followed = new Set(streams.map((stream) => (stream.type === 'events' ? stream.runId : stream.sessionId)));
  const logs = newest(model.logs, MOST_LOGS, followed);
  // A transcript is read anew each time that somebody looks.
  const transcripts = newest(model.transcripts, 0, followed);
  if (data === model.data && logs === model.logs && transcripts === model.transcripts) return model;
  return { ...model, data, logs, transcripts };
}

/** The last ones that were put in, and all that are shown. The same map where nothing is too much. */
function newest<T>(all: ReadonlyMap<string, T>, most: number, shown: ReadonlySet<string>): ReadonlyMap<string, T> {
  const spare = [...all.keys()].filter((key) => !shown.has(key));
  if (spare.length <= most) return all;
  const kept = new Map(all);
  for (const key of spare.slice(0, spare.length - most)) kept.delete(key);
  return kept;
}
