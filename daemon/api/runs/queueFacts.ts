import type { PlaceCounts } from '../../../schemas/rpc/views/queue.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { Queued } from '../../engine/local/runPlaces.ts';

export type QueueFacts = Pick<RunSummary, 'queue' | 'waitingFor' | 'waitsForPerson' | 'alsoWaitsFor'>;

/** What lists say about a run that has not begun. A person is asked only if the run before it cannot end well any more. */
export function queueFacts({ runId, place, predecessor }: Queued, counts: PlaceCounts): QueueFacts {
  const about = { queue: place, alsoWaitsFor: [] };
  if (predecessor === undefined || place.after === undefined) {
    return { ...about, waitingFor: turnSentence(place, counts), waitsForPerson: false };
  }
  const first = `run ${place.after.slice(0, 8)}`;
  if (predecessor === 'open') {
    return { ...about, waitingFor: `${first}, which comes first`, waitsForPerson: false };
  }
  const how = predecessor === 'gone' ? 'is gone' : predecessor === 'failed' ? 'failed' : 'was aborted';
  const id = runId.slice(0, 8);
  const ways = `devflow run move ${id} --release, or devflow run abort ${id}`;
  return { ...about, waitingFor: `your decision, because ${first} ${how}: ${ways}`, waitsForPerson: true };
}

/** `its turn: 3 of 12 in the queue, 4 of 4 runs at work`. */
function turnSentence({ position, of }: Queued['place'], { atWork, limit }: PlaceCounts): string {
  return `its turn: ${position} of ${of} in the queue, ${atWork} of ${limit} runs at work`;
}
