import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, createSheet, type Figure, type Sheet } from './figure.ts';
import { filesMegabytes, ownMemoryOf } from './ownMemory.ts';
import { type PanePlace, withPanes } from './panePlace.ts';
import { CLI } from './place.ts';
import { listProcesses, postmasterOf, treeOf } from './processes.ts';
import { openPty } from './pty.ts';

const AGENTS = [20, 100] as const;
const AIMS = { 20: 90, 100: 130 };
/** An agent is idle 15 s after its turn, and the last output is stored by then. */
const SETTLE_MS = 20_000;

/** What devflow keeps in memory while agents wait. */
export const memory: Bench = {
  name: 'memory',
  title: 'Memory with agents and a dashboard',
  reading:
    'A real daemon, so many quiet agents as in the row of their CPU, and a dashboard that shows the list of runs. 20 s after ' +
    'the last start, all processes that devflow started, but not the agents: the programs in the panes. Memory in no ' +
    'file is heaps and stacks. Files are programs, libraries and the shared memory of the database, each counted ' +
    'once. From `/proc/<pid>/smaps`, as if no other process ran on the same Node.',
  async run({ rounds = 1 }) {
    const sheet = createSheet();
    for (let round = 0; round < rounds; round += 1) {
      await withPanes(async (place) => {
        const daemon = await place.up();
        const client = await place.connect();
        const dashboard = await openPty(`${process.execPath} ${CLI} tui`, { env: place.env, columns: 120, rows: 40 });
        try {
          await dashboard.answers('\n', 'No runs yet');
          for (const [nth, count] of AGENTS.entries()) {
            await place.startAgents(client, count - (AGENTS[nth - 1] ?? 0), 'quiet');
            await sleep(SETTLE_MS);
            addMemory(sheet, count, partsOf(place, daemon, dashboard.pid));
          }
        } finally {
          client.close();
          await dashboard.close();
        }
      });
    }
    return AGENTS.flatMap((count) => figuresOf(sheet, count));
  },
};

type Parts = Record<(typeof PARTS)[number], number[]>;

const PARTS = ['daemon', 'dashboard', 'database', 'tmux', 'pane shells', 'captures'] as const;

function partsOf(place: PanePlace, daemon: number, dashboard: number): Parts {
  const server = place.tmuxServer();
  if (server === undefined) throw new Error('no tmux server of the benchmark runs');
  const processes = listProcesses();
  const panes = new Set(place.listPanes('#{pane_pid}').map(Number));
  const children = processes.filter(({ parent, pid }) => parent === server && !panes.has(pid)).map(({ pid }) => pid);
  const known = [daemon, dashboard, server, ...panes, ...children];
  const others = processes.filter(({ pid, parent }) => parent === daemon && !known.includes(pid));
  const database = treeOf(postmasterOf(daemon));
  const control = others.filter(({ pid }) => !database.includes(pid)).map(({ pid }) => pid);
  return {
    daemon: [daemon],
    dashboard: [dashboard],
    database,
    tmux: [server, ...control],
    'pane shells': [...panes],
    captures: children,
  };
}

function addMemory(sheet: Sheet, count: number, parts: Parts): void {
  const memories = PARTS.map((part) => ownMemoryOf(parts[part]));
  const files = filesMegabytes(memories);
  for (const [nth, part] of PARTS.entries()) sheet.add(`${count} ${part}`, memories[nth]?.anonymous ?? 0);
  sheet.add(`${count} files`, files);
  sheet.add(
    `${count} all`,
    memories.reduce((sum, { anonymous }) => sum + anonymous, files),
  );
}

function figuresOf(sheet: Sheet, count: (typeof AGENTS)[number]): Figure[] {
  const part = (name: string): Figure => ({ name: `  ${name}`, unit: 'MB', rounds: sheet.of(`${count} ${name}`) });
  const all: Figure = {
    name: `${count} agents, all`,
    unit: 'MB',
    rounds: sheet.of(`${count} all`),
    aim: { below: AIMS[count] },
  };
  return [all, part('files'), ...PARTS.map(part)];
}
