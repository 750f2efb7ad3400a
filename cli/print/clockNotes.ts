import { SET_CLOCK, skewText } from '../../schemas/clockSkew.ts';
import type { Io } from '../io/io.ts';
import { paint } from './output.ts';

/** Clocks that differ from the database's, by which devflow goes. */
export function printClockNotes(io: Io, clocks: readonly { host: string; skewMs: number | null }[]): void {
  for (const { host, skewMs } of clocks) {
    const skew = skewText(skewMs);
    if (skew === undefined) continue;
    io.out(`${paint(io, 'yellow', `The clock of host ${host} is ${skew} of the database's. ${SET_CLOCK}`)}\n`);
  }
}
