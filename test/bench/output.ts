import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../cli/client/connect.ts';
import { outputDirOf } from '../../daemon/sessions/tmux/launchAgent.ts';
import { tailOutput } from '../../daemon/sessions/tmux/output/outputTail.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';
import { withAgents } from './agentsHere.ts';
import { type Bench, type Figure, samplesAndP95 } from './figure.ts';
import { type BenchAgent, type PanePlace, withPanes } from './panePlace.ts';

const SAMPLES = 200;
const AGENTS = 30;
const STATES = 100;
/** An unwatched session gets two chunks in 5 s, so each line comes every 3 s. */
const EACH_MS = 100;

/** The time from a line in a pane's terminal until a reader has it. */
export const output: Bench = {
  name: 'output',
  title: 'Output: from the pane to its readers',
  reading:
    'The benchmark writes a line into the terminal of a pane, as its program would. "To the reader": until the ' +
    'adapter, in the process of the benchmark, has the bytes; it collects a burst for 20 ms. "To the subscriber": ' +
    'with a real daemon, until a client on its socket hears of the stored chunk (`transcript.chunk_appended`); ' +
    'the daemon collects output for 250 ms before it stores it. "A new state": until the reader for the state ' +
    'has a new title, in a pane that prints a frame every 100 ms and did so for 12 s. 200 lines each, one after the other, into 1 and ' +
    'into 30 panes. The columns are min, median and max of the lines, and the p95 has a row of its own.',
  async run({ rounds = 1 }) {
    const samples = rounds * SAMPLES;
    const reader = await toTheReader(samples);
    const subscriber = await withPanes(async (place) => {
      await place.up();
      const client = await place.connect();
      const agents = await place.startAgents(client, AGENTS, 'quiet');
      const times = await toTheSubscriber(place, client, agents, samples);
      client.close();
      return times;
    });
    const steady = await inASteadyPane();
    const figures: Figure[] = [
      ...samplesAndP95('to the reader', reader),
      ...samplesAndP95('a new state, of a pane that prints without pause', steady, { below: 100 }),
      ...samplesAndP95('to the subscriber, of a quiet pane', subscriber),
    ];
    return figures;
  },
};

function toTheReader(samples: number): Promise<number[]> {
  return withAgents({ binaryPath: SCRIPTED_AGENT }, async ({ adapter, start, tty }) => {
    const agent = await start();
    const terminal = await open(await tty(agent), 'w');
    let seen = '';
    let told = () => {};
    const reading = (async () => {
      for await (const { bytes } of adapter.capture(agent.input, 0n)) {
        seen = (seen + (bytes ?? '')).slice(-1000);
        told();
      }
    })();
    const times: number[] = [];
    for (let nth = 0; nth < samples; nth += 1) {
      // A pane that prints for ten seconds without pause is read by the clock.
      await sleep(nth % 50 === 49 ? 600 : 20);
      const begun = performance.now();
      writeSync(terminal.fd, lineOf(nth));
      while (!seen.includes(wordOf(nth))) await new Promise<void>((resolve) => (told = resolve));
      times.push(performance.now() - begun);
    }
    await terminal.close();
    await adapter.release(agent.input);
    await reading;
    return times;
  });
}

/** As the observer reads it, in a pane that has printed for so long that it is read by the clock. */
function inASteadyPane(): Promise<number[]> {
  return withAgents({ binaryPath: SCRIPTED_AGENT }, async ({ start, tty }) => {
    const agent = await start();
    const terminal = await open(await tty(agent), 'w');
    const frames = setInterval(() => writeSync(terminal.fd, lineOf(0)), 100);
    let seen = '';
    let told = () => {};
    const stop = new AbortController();
    const directory = outputDirOf(agent.input.sessionDir);
    const reading = (async () => {
      for await (const { bytes } of tailOutput({ directory, fromOffset: 0, signal: stop.signal, unmarked: true })) {
        seen = (seen + bytes).slice(-5000);
        told();
      }
    })();
    await sleep(12_000);
    const times: number[] = [];
    for (let nth = 1; nth <= STATES; nth += 1) {
      await sleep(50 + Math.random() * 100);
      const begun = performance.now();
      writeSync(terminal.fd, `\x1b]0;state-${nth};\x07`);
      while (!seen.includes(`state-${nth};`)) await new Promise<void>((resolve) => (told = resolve));
      times.push(performance.now() - begun);
    }
    clearInterval(frames);
    stop.abort();
    await reading;
    await terminal.close();
    return times;
  });
}

async function toTheSubscriber(
  place: PanePlace,
  client: Client,
  agents: readonly BenchAgent[],
  samples: number,
): Promise<number[]> {
  const begun = new Map<string, number>();
  const times: number[] = [];
  await client.subscribe({ kinds: ['transcript.chunk_appended'] }, (notification) => {
    if (notification.event !== 'transcript.chunk_appended') return;
    const { sessionId } = notification.data;
    const since = begun.get(sessionId);
    if (since !== undefined) times.push(performance.now() - since);
    begun.delete(sessionId);
  });
  const ttys = new Map(
    place.listPanes('#{@devflow_session} #{pane_tty}').map((line) => line.split(' ') as [string, string]),
  );
  // Wait until the output of their start and work is stored.
  await sleep(6_000);
  for (let nth = 0; nth < samples; nth += 1) {
    const { sessionId } = agents[nth % agents.length] as BenchAgent;
    const terminal = await open(ttys.get(sessionId) ?? '', 'w');
    begun.set(sessionId, performance.now());
    writeSync(terminal.fd, lineOf(nth));
    await terminal.close();
    await sleep(EACH_MS);
  }
  for (let look = 0; begun.size > 0; look += 1) {
    if (look > 300) throw new Error(`of ${begun.size} lines were not reported`);
    await sleep(50);
  }
  return times;
}

const wordOf = (nth: number) => `line-${nth};`;
/** Prints at the top of the screen, and puts the cursor back. */
const lineOf = (nth: number) => `\x1b7\x1b[1;1H${wordOf(nth)}\x1b[K\x1b8`;
