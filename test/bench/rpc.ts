import type { Client } from '../../cli/client/connect.ts';
import { type Bench, createSheet, p50p99 } from './figure.ts';
import { withPlace } from './place.ts';

const CALLS = 5_000;

/** Requests to a real daemon over its Unix socket, one after the other. */
export const rpc: Bench = {
  name: 'rpc',
  title: 'RPC round trip',
  reading:
    'A daemon in a process of its own, and the client of the CLI in the process of the benchmark. 5,000 requests ' +
    'a round, each after the answer to the one before. The daemon answers `policy.check` from memory, so what ' +
    'remains is the socket, the frames and the check of the parameters. `daemon.status` adds three reads from the ' +
    'database. Each round gives a p50 and a p99.',
  run: ({ rounds = 5 }) =>
    withPlace(async ({ devflow, connect }) => {
      await devflow('up');
      const client = await connect();
      const calls: Record<string, (client: Client) => Promise<unknown>> = {
        'policy.check': () => client.call('policy.check', { argv: ['git', 'status'] }),
        'daemon.status': () => client.call('daemon.status'),
      };
      const sheet = createSheet();
      for (let round = -1; round < rounds; round += 1) {
        for (const [name, call] of Object.entries(calls)) {
          const { p50, p99 } = p50p99(await timed(() => call(client), name === 'policy.check' ? CALLS : CALLS / 5));
          if (round < 0) continue;
          sheet.add(`${name} p50`, p50);
          sheet.add(`${name} p99`, p99);
        }
      }
      client.close();
      return [
        { name: 'policy.check, p50', unit: 'ms', rounds: sheet.of('policy.check p50'), aim: { below: 0.2 } },
        { name: 'policy.check, p99', unit: 'ms', rounds: sheet.of('policy.check p99') },
        { name: 'daemon.status, p50', unit: 'ms', rounds: sheet.of('daemon.status p50') },
        { name: 'daemon.status, p99', unit: 'ms', rounds: sheet.of('daemon.status p99') },
      ];
    }),
};

async function timed(call: () => Promise<unknown>, count: number): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const begun = performance.now();
    await call();
    samples.push(performance.now() - begun);
  }
  return samples;
}
