import type { Transition } from '../../../../../daemon/engine/core/machines/machine.ts';

/** Takes every row of a step out of its table while `act` runs: whoever takes that step then is refused. */
export function withoutStep(
  table: readonly Transition<string>[],
  { from, to }: Transition<string>,
  act: () => void,
): void {
  const rows = table as Transition<string>[];
  const all = [...rows];
  rows.splice(0, rows.length, ...all.filter((row) => row.from !== from || row.to !== to));
  try {
    act();
  } finally {
    rows.splice(0, rows.length, ...all);
  }
}
