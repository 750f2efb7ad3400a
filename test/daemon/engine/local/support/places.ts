import { createAfterRuns } from '../../../../../daemon/engine/local/afterRuns.ts';
import { createRunPlaces, type RunPlaces } from '../../../../../daemon/engine/local/runPlaces.ts';
import { createBus } from '../../../../../daemon/events/bus.ts';
import { silent } from './performing.ts';

/** Places for runs that wait for no other run. */
export function givenPlaces(limit = 64, bus = createBus()): RunPlaces {
  const after = createAfterRuns({ readRun: async () => undefined, bus, log: silent });
  return createRunPlaces({ limit, bus, after });
}
