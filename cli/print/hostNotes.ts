import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { serverAwayWords, WITHOUT_SERVER } from '../../schemas/states/host.ts';
import { SET_CLOCK, wrongClock } from '../../schemas/time/duration.ts';
import { withLocalTimes } from '../../schemas/time/localTime.ts';
import type { Io } from '../io/io.ts';
import { paint } from './output.ts';
import { visible } from './text.ts';

/** Says that the server of the engine is away, and what that means. */
export function printServerNote(io: Io, { temporal }: Pick<RpcResult<'daemon.status'>, 'temporal'>): void {
  if (!temporal?.away) return;
  const words = withLocalTimes(serverAwayWords({ address: temporal.address, away: temporal.away }));
  io.out(`${paint(io, 'yellow', `${visible(words)}. ${WITHOUT_SERVER}`)}\n`);
}

/** Clocks that differ from the database's, by which devflow goes. */
export function printClockNotes(io: Io, clocks: readonly { host: string; skewMs: number | null }[]): void {
  for (const { host, skewMs } of clocks) {
    const note = wrongClock(`host ${host}`, skewMs);
    if (note) io.out(`${paint(io, 'yellow', `The ${note}. ${SET_CLOCK}`)}\n`);
  }
}
