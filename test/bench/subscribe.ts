import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { connect } from '../../cli/client/connect.ts';
import { type Bench, createSheet, p50p99 } from './figure.ts';
import { ROOT } from './place.ts';

/** The time from the commit of an event to a client that subscribed to its run. */
export const subscribe: Bench = {
  name: 'subscribe',
  title: 'Subscription: from commit to client',
  reading:
    'A process of its own serves the real socket, dispatch, subscriptions and bus over a real committer, and ' +
    'commits an event every 2 ms. It reads the monotonic clock, which both processes share, before it asks for ' +
    'the commit and when the commit is durable. The client reads it when the event arrives. 500 events a round.',
  async run({ rounds = 5 }) {
    const server = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(ROOT, 'test', 'bench', 'subscribeServer.ts')],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const lines = readLines(server.stdout);
    try {
      const { socketPath, runId } = JSON.parse(await lines.next());
      const client = await connect(socketPath);
      const arrivals = new Map<number, bigint>();
      await client.subscribe({ runId, kinds: ['run.event_appended'] }, (notification) => {
        if (notification.event === 'run.event_appended') arrivals.set(notification.data.seq, process.hrtime.bigint());
      });
      const sheet = createSheet();
      for (let round = -1; round < rounds; round += 1) {
        arrivals.clear();
        server.stdin.write('go\n');
        const sent: { seq: number; asked: string; durable: string }[] = JSON.parse(await lines.next());
        while (arrivals.size < sent.length) await new Promise((resolve) => setTimeout(resolve, 5));
        if (round < 0) continue;
        const since = (from: 'asked' | 'durable') =>
          p50p99(sent.map((event) => Number((arrivals.get(event.seq) as bigint) - BigInt(event[from])) / 1e6));
        const [durable, asked] = [since('durable'), since('asked')];
        sheet.add('durable p50', durable.p50);
        sheet.add('durable p99', durable.p99);
        sheet.add('asked p50', asked.p50);
      }
      client.close();
      return [
        { name: 'durable to client, p50', unit: 'ms', rounds: sheet.of('durable p50') },
        { name: 'durable to client, p99', unit: 'ms', rounds: sheet.of('durable p99') },
        { name: 'append asked for to client, p50', unit: 'ms', rounds: sheet.of('asked p50') },
      ];
    } finally {
      server.stdin.end();
      if (server.exitCode === null) await once(server, 'exit');
    }
  },
};

function readLines(stream: Readable): { next(): Promise<string> } {
  const iterator = (async function* () {
    let text = '';
    for await (const chunk of stream) {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        yield text.slice(0, end);
        text = text.slice(end + 1);
      }
    }
  })();
  return {
    async next() {
      const { value, done } = await iterator.next();
      if (done) throw new Error('the server of the benchmark ended');
      return value;
    },
  };
}
