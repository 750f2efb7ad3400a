import type { Step } from '../../../../daemon/core/machines/machine.ts';

/** Removes every row of a step from its table while `act` runs, so that the step is refused. */
export function withoutStep(table: readonly Step<string>[], { from, to }: Step<string>, act: () => void): void {
  const rows = table as Step<string>[];
  const all = [...rows];
  rows.splice(0, rows.length, ...all.filter((row) => row.from !== from || row.to !== to));
  try {
    act();
  } finally {
    rows.splice(0, rows.length, ...all);
  }
}
