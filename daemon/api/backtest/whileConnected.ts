import { randomUUID } from 'node:crypto';
import { DevflowError } from '../../../schemas/errors.ts';
import type { Peer } from '../../rpc/peer.ts';

/** Does what nobody needs once its caller is gone: then the signal aborts. */
export async function whileConnected<T>(
  peer: Pick<Peer, 'hold' | 'release'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const id = randomUUID();
  peer.hold({ id, close: () => gone.abort(nobodyWaits()) });
  try {
    return await work(gone.signal);
  } finally {
    peer.release(id);
  }
}

function nobodyWaits(): DevflowError {
  return new DevflowError('command_failed', 'The caller is gone, so devflow ended what it had asked for.');
}
