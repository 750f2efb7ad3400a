import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, createSheet, type Figure } from './figure.ts';
import { type PanePlace, withPanes } from './panePlace.ts';
import { cpuMs, listProcesses, postmasterOf, treeCpuMs } from './processes.ts';

const QUIET = [0, 20, 50, 100] as const;
const WINDOW_MS = 10_000;
/** Counted after the starts. Chunks are stored up to 5 s after the output, and an agent is idle 15 s after its turn. */
const SETTLE_MS = 20_000;
const AIMED_AT = 50;

/** What agents cost while they exist. */
export const panes: Bench = {
  name: 'panes',
  title: 'Agents in panes: CPU',
  reading:
    'A real daemon with real sessions: runs whose agent (the scripted program of the tests) has done its work and ' +
    'waits at its prompt, until a person approves. User and system time over 10 s from `/proc/<pid>/stat`, in ' +
    'percent of one core, first 20 s after the last start. "tmux" is its server with one `split` a pane, which ' +
    'keeps the output. The agents are in no figure, and the database only in its own. "Without a daemon": the ' +
    'same panes after `devflow down`.',
  async run({ rounds = 1 }) {
    const sheet = createSheet();
    await withPanes(async (place) => {
      let daemon = await place.up();
      let client = await place.connect();
      for (const [index, count] of QUIET.entries()) {
        await place.startAgents(client, count - (QUIET[index - 1] ?? 0), 'quiet');
        await watch(place, daemon, rounds, (part, value) => sheet.add(`${count} ${part}`, value));
        if (count !== AIMED_AT) continue;
        client.close();
        await place.devflow('down');
        await watch(place, undefined, rounds, (part, value) => sheet.add(`${count} alone ${part}`, value));
        daemon = await place.up();
        client = await place.connect();
      }
      client.close();
    });
    const figure = (name: string, key: string, aim?: Figure['aim']): Figure => {
      return { name, unit: '%', rounds: sheet.of(key), ...(aim ? { aim } : {}) };
    };
    const parts = (key: string) => [
      figure('  daemon', `${key} daemon`),
      figure('  tmux', `${key} tmux`),
      figure('  database', `${key} database`),
    ];
    return [
      ...QUIET.flatMap((count) => [
        figure(`${count} quiet, daemon and tmux`, `${count} both`, count === AIMED_AT ? { below: 1 } : undefined),
        ...parts(String(count)),
      ]),
      figure(`${AIMED_AT} quiet without a daemon, tmux`, `${AIMED_AT} alone tmux`),
    ];
  },
};

async function watch(
  place: PanePlace,
  daemon: number | undefined,
  rounds: number,
  add: (part: string, value: number) => void,
): Promise<void> {
  // Without a daemon no work continues after a start.
  await sleep(daemon === undefined ? 1_000 : SETTLE_MS);
  const server = place.tmuxServer();
  const sinks = server === undefined ? [] : [server, ...sinksOf(server)];
  const postmaster = daemon === undefined ? undefined : postmasterOf(daemon);
  const look = (): Record<string, number> => ({
    at: performance.now(),
    tmux: cpuMs(sinks),
    daemon: daemon === undefined ? 0 : cpuMs([daemon]),
    database: postmaster === undefined ? 0 : treeCpuMs(postmaster),
  });
  for (let round = 0; round < rounds; round += 1) {
    const before = look();
    await sleep(WINDOW_MS);
    const after = look();
    const used = (part: string) =>
      (Number(after[part]) - Number(before[part])) / (Number(after.at) - Number(before.at));
    for (const part of ['tmux', 'daemon', 'database']) add(part, used(part) * 100);
    add('both', (used('daemon') + used('tmux')) * 100);
  }
}

function sinksOf(server: number): number[] {
  return listProcesses().flatMap(({ pid, parent, command }) =>
    parent === server && command.startsWith('split ') ? [pid] : [],
  );
}
