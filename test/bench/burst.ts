import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../cli/client/connect.ts';
import { type Bench, createSheet } from './figure.ts';
import { type PanePlace, withPanes } from './panePlace.ts';
import { cpuMs, forgetPeak, peakMegabytes, residentMegabytes } from './processes.ts';

const LINE = 80;
const STEP_MS = 10;
const STEPS = 100;
/** Lines end with a CR, which the terminal adds. */
const BYTES = 10_000_000;
const LINES_A_STEP = Math.ceil(BYTES / STEPS / (LINE + 1));

/** One agent prints a large output at once. */
export const burst: Bench = {
  name: 'burst',
  title: 'A burst of output',
  reading:
    'The benchmark writes 10 MB of numbered lines into the terminal of one agent of a real daemon, spread over a ' +
    'second (longer, if the terminal takes them more slowly). After the last byte it asks `session.transcript` ' +
    'every 10 ms. "Stored" is when the answer contains the last line. Memory is the growth of the resident set of ' +
    'the daemon (VmHWM, reset before). CPU is its user and system time from the first byte until everything is ' +
    'stored.',
  run: ({ rounds = 3 }) =>
    withPanes(async (place) => {
      const daemon = await place.up();
      const client = await place.connect();
      const sheet = createSheet();
      for (let round = 0; round < rounds; round += 1) {
        const figures = await measure(place, client, daemon);
        for (const [name, value] of Object.entries(figures)) sheet.add(name, value);
      }
      client.close();
      return [
        { name: 'written', unit: 'ms', rounds: sheet.of('written') },
        { name: 'stored, after the first byte', unit: 'ms', rounds: sheet.of('stored') },
        { name: 'stored, after the last byte', unit: 'ms', rounds: sheet.of('lag') },
        { name: 'daemon, growth of memory at the peak', unit: 'MB', rounds: sheet.of('peak') },
        { name: 'daemon, growth of memory 2 s later', unit: 'MB', rounds: sheet.of('left') },
        { name: 'daemon, CPU', unit: 'ms', rounds: sheet.of('cpu') },
      ];
    }),
};

async function measure(place: PanePlace, client: Client, daemon: number): Promise<Record<string, number>> {
  const [agent] = await place.startAgents(client, 1, 'quiet');
  const { sessionId } = agent as { sessionId: string };
  await sleep(3_000);
  const wanted = (await storedUntil(client, sessionId)) + STEPS * LINES_A_STEP * (LINE + 1);
  const line = place.listPanes('#{@devflow_session} #{pane_tty}').find((each) => each.startsWith(sessionId));
  const terminal = await open(line?.split(' ')[1] ?? '', 'w');
  const before = residentMegabytes(daemon);
  forgetPeak(daemon);
  const cpu = cpuMs([daemon]);
  const begun = performance.now();
  for (let step = 0; step < STEPS; step += 1) {
    await terminal.writeFile(linesOf(step));
    await sleep(begun + (step + 1) * STEP_MS - performance.now());
  }
  const written = performance.now();
  await terminal.close();
  while ((await storedUntil(client, sessionId)) < wanted) {
    if (performance.now() - written > 30_000) throw new Error('the burst was not stored');
    await sleep(10);
  }
  const stored = performance.now();
  const figures = {
    written: written - begun,
    stored: stored - begun,
    lag: stored - written,
    peak: peakMegabytes(daemon) - before,
    cpu: cpuMs([daemon]) - cpu,
  };
  await sleep(2_000);
  return { ...figures, left: residentMegabytes(daemon) - before };
}

async function storedUntil(client: Client, sessionId: string): Promise<number> {
  const { chunks } = await client.call('session.transcript', { sessionId, tail: 1 });
  return chunks.at(-1)?.endOffset ?? 0;
}

function linesOf(step: number): string {
  const lines = Array.from({ length: LINES_A_STEP }, (_, nth) =>
    `${step * LINES_A_STEP + nth} `.padEnd(LINE - 1, '0123456789abcdef'),
  );
  return `${lines.join('\n')}\n`;
}
