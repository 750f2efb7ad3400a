import { SET_CLOCK, wrongClock } from '../../schemas/time/clockSkew.ts';
import type { Io } from '../io/io.ts';
import { paint } from './output.ts';

/** Clocks that differ from the database's, by which devflow goes. */
export function printClockNotes(io: Io, clocks: readonly { host: string; skewMs: number | null }[]): void {
  for (const { host, skewMs } of clocks) {
    const note = wrongClock(`host ${host}`, skewMs);
    if (note) io.out(`${paint(io, 'yellow', `The ${note}. ${SET_CLOCK}`)}\n`);
  }
}
