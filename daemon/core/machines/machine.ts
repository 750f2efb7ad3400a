import { DevflowError } from '../../../schemas/errors.ts';

/** One row of a state machine's table. */
export interface Step<S extends string> {
  from: S;
  trigger: string;
  to: S;
}

/**
 * Returns `to` if the table has the step, else throws `internal_state_corruption`: log and code disagree, and the rows would
 * be wrong.
 */
export function step<S extends string>(machine: string, table: readonly Step<S>[], from: S, to: S): S {
  if (table.some((row) => row.from === from && row.to === to)) return to;
  throw new DevflowError('internal_state_corruption', `The ${machine} cannot go from ${from} to ${to}.`);
}

/** Takes several steps, for an event that passes through a state without its own event. */
export function steps<S extends string>(machine: string, table: readonly Step<S>[], from: S, ...path: S[]): S {
  return path.reduce((at, next) => step(machine, table, at, next), from);
}
