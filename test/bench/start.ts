import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, createSheet, type Figure, quantile, type Sheet } from './figure.ts';
import { type PanePlace, withPanes } from './panePlace.ts';
import { listProcesses, markedWith, postmasterOf, pssMegabytes, treeOf } from './processes.ts';
import type { Pty } from './pty.ts';
import { withPopups } from './tuiPaint.ts';

const SESSIONS = 20;
const SIZE = { columns: 200, rows: 50 };
const BUSY = 2;
const KEYS = 60;
/** The prefix, and the plugin's keys of the two lists. */
const OPEN = { sessions: '\u0002G', runs: '\u0002F' };
/** The footer, which an old list does not have. */
const FRESH = /quit/;
const SETTLE_MS = 300;
const REST_MS = 10_000;

/** How soon a popup shows a list of twenty sessions, and what all of it takes in memory. */
export const start: Bench = {
  name: 'start',
  title: 'A popup with twenty sessions',
  reading:
    `A real daemon with ${SESSIONS} quiet agents. The key of \`devflow.tmux\` opens the list of sessions in a popup ` +
    `(${SIZE.columns}x${SIZE.rows}), in a tmux of the benchmark’s own. "Whole list": from the key until all rows are ` +
    'on the terminal; from the second popup on, they are the old list, marked as old. "Fresh": until the newest data is ' +
    `there. Loaded: beside ${BUSY} processes that never pause. Keys move the selection in the list of runs, whose ` +
    'preview changes with it. Memory is the proportional share (PSS) with the dashboard open for 10 s; the agents are ' +
    'in no figure. The programs share the pages of the Node that the daemon runs on.',
  async run({ rounds = 12 }) {
    const sheet = createSheet();
    await withPanes(async (place) => {
      const daemon = await place.up();
      const client = await place.connect();
      const agents = await place.startAgents(client, SESSIONS, 'quiet');
      client.close();
      const ids = agents.map(({ runId }) => runId.slice(0, 8));
      await withPopups(
        place,
        async (terminal) => {
          await openList(terminal, ids);
          for (let round = 0; round < rounds; round += 1) await measureOpen(terminal, ids, sheet, 'quiet');
          await measureKeys(terminal, sheet, 'quiet');
          await whileBusy(async () => {
            for (let round = 0; round < rounds; round += 1) await measureOpen(terminal, ids, sheet, 'loaded');
            await measureKeys(terminal, sheet, 'loaded');
          });
          await measureMemory(place, terminal, daemon, sheet);
        },
        SIZE,
      );
    });
    const ms = (name: string, key: string, aim?: number): Figure => ({
      name,
      unit: 'ms',
      rounds: sheet.of(key),
      ...(aim === undefined ? {} : { aim: { below: aim } }),
    });
    return [
      ms('key to the whole list, quiet', 'quiet whole', 50),
      ms('key to the fresh list, quiet', 'quiet fresh'),
      ms('key to the whole list, loaded', 'loaded whole', 270),
      ms('key to the fresh list, loaded', 'loaded fresh'),
      ms('key to paint, quiet, p50', 'quiet key'),
      ms('key to paint, loaded, p50', 'loaded key', 13),
      ...['all', 'daemon', 'database', 'dashboard', 'tmux of the agents', 'shells of their panes', 'captures'].map(
        (name): Figure => ({
          name: name === 'all' ? 'memory of all below' : `  ${name}`,
          unit: 'MB',
          rounds: sheet.of(`MB ${name}`),
          ...(name === 'all' ? { aim: { below: 90 } } : {}),
        }),
      ),
    ];
  },
};

async function openList(terminal: Pty, ids: readonly string[]): Promise<{ whole: number; fresh: number }> {
  const all = new RegExp(`^${ids.map((id) => `(?=[^]*${id})`).join('')}`);
  const begun = performance.now();
  const whole = await terminal.answers(OPEN.sessions, all);
  const fresh = (await terminal.sees(FRESH)) - begun;
  await sleep(SETTLE_MS);
  await closePopup(terminal);
  return { whole, fresh };
}

/** The popup gets keys until it is gone. Then the shell below it answers. */
async function closePopup(terminal: Pty): Promise<void> {
  await terminal.answers('q', /[$#] /);
  await sleep(SETTLE_MS);
}

async function measureOpen(terminal: Pty, ids: readonly string[], sheet: Sheet, load: string): Promise<void> {
  const { whole, fresh } = await openList(terminal, ids);
  sheet.add(`${load} whole`, whole);
  sheet.add(`${load} fresh`, fresh);
}

/** The selected row begins with a bar. */
async function measureKeys(terminal: Pty, sheet: Sheet, load: string): Promise<void> {
  await terminal.answers(OPEN.runs, FRESH);
  await sleep(1_500);
  const samples: number[] = [];
  for (let nth = 0; nth < KEYS; nth += 1) {
    samples.push(await terminal.answers(nth % 2 === 0 ? 'j' : 'k', '▌'));
    await sleep(60 + Math.random() * 80);
  }
  sheet.add(
    `${load} key`,
    quantile(
      samples.toSorted((a, b) => a - b),
      0.5,
    ),
  );
  await closePopup(terminal);
}

async function whileBusy(use: () => Promise<void>): Promise<void> {
  const busy: ChildProcess[] = Array.from({ length: BUSY }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    await use();
  } finally {
    for (const each of busy) each.kill('SIGKILL');
  }
}

async function measureMemory(place: PanePlace, terminal: Pty, daemon: number, sheet: Sheet): Promise<void> {
  await terminal.answers(OPEN.sessions, FRESH);
  await sleep(REST_MS);
  const server = place.tmuxServer() ?? 0;
  const ours = new Set(markedWith(place.home).map(({ pid }) => pid));
  const children = listProcesses().filter(({ parent }) => parent === server);
  const isCapture = ({ command }: { command: string }) => command.startsWith('split ');
  const dashboards = listProcesses().filter(({ command }) => / tui --screen sessions$/.test(command));
  const groups: Record<string, number[]> = {
    daemon: [daemon],
    database: treeOf(postmasterOf(daemon)),
    dashboard: dashboards.map(({ pid }) => pid).filter((pid) => ours.has(pid)),
    'tmux of the agents': [server],
    'shells of their panes': children.filter((each) => !isCapture(each)).map(({ pid }) => pid),
    captures: children.filter(isCapture).map(({ pid }) => pid),
  };
  let all = 0;
  for (const [name, pids] of Object.entries(groups)) {
    const megabytes = pssMegabytes(pids);
    all += megabytes;
    sheet.add(`MB ${name}`, megabytes);
  }
  sheet.add('MB all', all);
  await closePopup(terminal);
}
