import { DevflowError } from '../../../../schemas/errors.ts';

/** One row of a transition table. */
export interface Step<S extends string> {
  from: S;
  trigger: string;
  to: S;
}

/**
 * Returns `to` when the table has the step, else throws `internal_state_corruption`: the log and the code disagree, and
 * going on would make the rows untrue.
 */
export function step<S extends string>(machine: string, table: readonly Step<S>[], from: S, to: S): S {
  if (table.some((row) => row.from === from && row.to === to)) return to;
  throw new DevflowError('internal_state_corruption', `The ${machine} cannot go from ${from} to ${to}.`);
}

/** Takes several steps in a row, as where one event passes through a state that has no event of its own. */
export function steps<S extends string>(machine: string, table: readonly Step<S>[], from: S, ...path: S[]): S {
  return path.reduce((at, next) => step(machine, table, at, next), from);
}
