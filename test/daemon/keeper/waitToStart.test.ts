import { describe, expect, it } from 'vitest';
import { addressIn } from '../../../daemon/keeper/databaseAddress.ts';
import { waitToStart } from '../../../daemon/keeper/waitToStart.ts';

/** How long the wait takes, with an address that answers at these times. */
async function waited(delayMs: number, isThere?: (ms: number) => boolean, lookMs = 0): Promise<number> {
  let ms = 0;
  await waitToStart({
    delayMs,
    address: isThere && { host: 'db', port: 5432 },
    signal: new AbortController().signal,
    look: async () => {
      ms += lookMs;
      return isThere?.(ms) ?? false;
    },
    sleep: async (more) => {
      ms += more;
    },
    now: () => ms,
  });
  return ms;
}

describe('the wait before the next start', () => {
  it('takes its time without an address, and with one that answers all the time', async () => {
    expect(await waited(8_000)).toBe(8_000);
    expect(await waited(8_000, () => true)).toBe(8_000);
  });

  it('ends as soon as a database answers that was away', async () => {
    expect(await waited(30_000, (ms) => ms >= 2_000)).toBe(2_000);
    expect(await waited(500, (ms) => ms >= 90_000)).toBe(90_000);
  });

  it('ends after five minutes without an answer, because the settings may have changed', async () => {
    expect(await waited(500, () => false)).toBe(300_000);
    // An address that nobody answers for: each look takes as long as it may.
    expect(await waited(500, () => false, 2_000)).toBe(300_000);
  });

  it('ends at once when it is no longer wanted', async () => {
    const stop = new AbortController();
    stop.abort();
    let looks = 0;
    const look = async () => looks++ < 0;
    await waitToStart({ delayMs: 2 ** 30, address: { host: 'db', port: 1 }, signal: stop.signal, look });
    await waitToStart({ delayMs: 2 ** 30, address: undefined, signal: stop.signal });
    expect(looks).toBe(0);
  });
});

it.each([
  ['postgres://me:secret@db.example:5433/x', { host: 'db.example', port: 5433 }],
  ['postgres://me@db.example/x', { host: 'db.example', port: 5432 }],
  ['postgresql://[::1]:6000/x', { host: '::1', port: 6000 }],
  ['postgres:///x', { host: 'localhost', port: 5432 }],
  ['postgres:///x?host=/run/pg&port=5555&user=me', { path: '/run/pg/.s.PGSQL.5555' }],
  ['postgres://%2Frun%2Fpg/x', { path: '/run/pg/.s.PGSQL.5432' }],
])('finds the address in %s', (url, address) => expect(addressIn(url)).toEqual(address));
