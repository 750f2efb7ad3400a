import type * as Machine from '../../../../../daemon/engine/core/machines/machine.ts';

/** The steps that machines took while `recording` was in place, as `machine: from -> to`. */
export const stepsTaken = new Set<string>();

export const stepName = (machine: string, from: string, to: string) => `${machine}: ${from} -> ${to}`;

/** `machine.ts` with a recorder in it, for `vi.mock`. */
export function recording(original: typeof Machine): typeof Machine {
  const step: typeof Machine.step = (machine, table, from, to) => {
    const next = original.step(machine, table, from, to);
    stepsTaken.add(stepName(machine, from, to));
    return next;
  };
  return {
    ...original,
    step,
    steps: (machine, table, from, ...path) => path.reduce((at, to) => step(machine, table, at, to), from),
  };
}
