import type { RunEvent } from '../../../schemas/events/index.ts';
import { evolve } from './evolve/evolve.ts';
import type { Run } from './run/state.ts';
import { settle } from './settle.ts';

/** Folds a whole log. Undefined for an empty one. */
export function replay(events: Iterable<RunEvent>): Run | undefined {
  let run: Run | undefined;
  for (const event of events) run = evolve(run, event);
  return run && settle(run);
}
