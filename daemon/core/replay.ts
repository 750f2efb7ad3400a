import type { RunEvent } from '../../schemas/events/index.ts';
import { evolve } from './evolve/evolve.ts';
import type { Run } from './run/state.ts';
import { settle } from './settle.ts';

/** Folds a whole log. Undefined for an empty one. */
export function replay(events: Iterable<RunEvent>): Run | undefined {
  let run: Run | undefined;
  for (const event of events) run = evolve(run, event);
  return run && settle(run);
}

/** The same, of a log whose first events are folded already. */
export function replayOn(run: Run, events: Iterable<RunEvent>): Run {
  let next = run;
  for (const event of events) next = evolve(next, event);
  return settle(next);
}
