import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttachPoint } from '../../daemon/sessions/contract/adapter.ts';
import { type AgentsHere, type HereAgent, withAgents } from './agentsHere.ts';
import { type Bench, createSheet, type Figure, samplesAndP95 } from './figure.ts';
import { ROOT } from './place.ts';
import { isGone, send } from './processes.ts';

/** How many start at a time. The starts take most of this row's time. */
const BATCH = 10;
/** One death and tmux's hook for it are over by then. */
const APART_MS = 80;
/** The number of killed servers, and of agents on each. */
const ON_ONE_SERVER = 3;

const WAYS: Record<string, (agent: HereAgent, at: AttachPoint) => void> = {
  'kill -9 of the program': ({ panePid }) => send(programOf(panePid), 'SIGKILL'),
  'the program exits by itself': ({ panePid }) => send(programOf(panePid), 'SIGUSR1'),
  'kill -9 of the wrapper': ({ panePid }) => send(panePid, 'SIGKILL'),
  // Not awaited: the start takes about 5 ms, which count, but it must not block this process.
  'kill-pane': (_, { socket, paneId }) => void execFile('tmux', ['-S', socket, 'kill-pane', '-t', paneId]),
};
const SERVER = 'kill -9 of the tmux server';

/** The time from the end of an agent until the daemon's adapter reports it. */
export const death: Bench = {
  name: 'death',
  title: 'Death of an agent',
  reading:
    'The adapter of the daemon, in the process of the benchmark, and a small program in each pane. Measured from ' +
    'the signal (or the start of `tmux kill-pane`) until `onExit` is called. 30 deaths of each kind, one at a ' +
    'time; 10 of a tmux server with 3 agents each. The columns are min, median and max, and the p95 has a row of ' +
    'its own. Wrapper: the `sh` that leads the pane. By the backstop: how many deaths only the subscription ' +
    'reported, which tmux evaluates once a second.',
  async run({ rounds = 3 }) {
    const sheet = createSheet();
    const note = (way: string, ends: readonly End[]) => {
      for (const { ms, reason } of ends) {
        sheet.add(way, ms);
        sheet.add(`${way} backstop`, isBackstop(reason) ? 1 : 0);
      }
    };
    const binaryPath = join(ROOT, 'test', 'bench', 'agents', 'quiet-agent');
    await withAgents({ binaryPath }, async (here) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const [way, kill] of Object.entries(WAYS)) note(way, await killOneByOne(here, kill));
      }
      for (let round = 0; round < (rounds * BATCH) / ON_ONE_SERVER; round += 1) note(SERVER, await killServer(here));
    });
    return [...Object.keys(WAYS), SERVER].flatMap((way): Figure[] => [
      ...samplesAndP95(way, sheet.of(way), { below: 100 }),
      { name: '  by the backstop', unit: '', rounds: [sheet.of(`${way} backstop`).reduce((sum, one) => sum + one, 0)] },
    ]);
  },
};

interface End {
  ms: number;
  reason: string;
}

async function killOneByOne(here: AgentsHere, kill: (agent: HereAgent, at: AttachPoint) => void): Promise<End[]> {
  const agents = await Promise.all(Array.from({ length: BATCH }, () => here.start()));
  const ends: End[] = [];
  for (const agent of agents) {
    const at = await here.adapter.attachPoint(agent.input.sessionId);
    if (!at) throw new Error('the agent has no pane');
    const end = nextEnd(here, agent);
    kill(agent, at);
    ends.push(await end);
    await sleep(APART_MS);
  }
  for (const { input } of agents) await here.adapter.dispose(input);
  return ends;
}

async function killServer(here: AgentsHere): Promise<End[]> {
  const agents = await Promise.all(Array.from({ length: ON_ONE_SERVER }, () => here.start()));
  const ends = Promise.all(agents.map((agent) => nextEnd(here, agent)));
  const server = here.tmuxServer();
  send(server, 'SIGKILL');
  const told = await ends;
  while (!isGone(server)) await sleep(5);
  for (const { input } of agents) await here.adapter.dispose(input);
  return told;
}

/** The clock starts at once. */
function nextEnd({ adapter }: AgentsHere, { input }: HereAgent): Promise<End> {
  const begun = performance.now();
  return new Promise((resolve) => {
    adapter.onExit(input, ({ reason }) => resolve({ ms: performance.now() - begun, reason }));
  });
}

/** The same words as `watchDeath` for what only the subscription reported. */
function isBackstop(reason: string): boolean {
  return reason === 'its pane is gone' || reason === 'its pane is dead';
}

function programOf(wrapper: number): number {
  const [child] = readFileSync(`/proc/${wrapper}/task/${wrapper}/children`, 'utf8').split(' ');
  if (!child) throw new Error(`${wrapper} has no program`);
  return Number(child);
}
