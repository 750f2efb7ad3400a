import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, createSheet, type Figure } from './figure.ts';
import { withPanes } from './panePlace.ts';
import { ROOT } from './place.ts';
import { cpuMs, listProcesses, postmasterOf, treeCpuMs } from './processes.ts';
import { openPty } from './pty.ts';

const AGENTS = 10;
const WINDOW_MS = 10_000;
/** Counted after the starts. A pane that has printed without pause for ten seconds is read by the clock. */
const SETTLE_MS = 15_000;

/** Who uses the CPU while agents print without pause. */
export const printing: Bench = {
  name: 'printing',
  title: 'Agents that print without pause: CPU',
  reading:
    `${AGENTS} agents show a 10 Hz spinner and a line of seconds, as agents do while they work. User and system time ` +
    'over 10 s in percent of one core. The dashboard is open (the list of runs) and closed in turns. "split" is the ' +
    'process of each pane that stores what it prints. "Without a daemon": the same panes after `devflow down`. The ' +
    'agents are in no figure, and database and dashboard only in their own.',
  run: ({ rounds = 2 }) =>
    withPanes(async (place) => {
      const sheet = createSheet();
      const daemon = await place.up();
      const client = await place.connect();
      await place.startAgents(client, AGENTS, 'spinning');
      client.close();
      const server = place.tmuxServer() ?? 0;
      const sinks = listProcesses().flatMap(({ pid, parent, command }) =>
        parent === server && /^split /.test(command) ? [pid] : [],
      );
      const database = postmasterOf(daemon);
      const watch = async (when: string, dashboard?: number) => {
        const look = () => ({
          at: performance.now(),
          daemon: cpuMs([daemon]),
          tmux: cpuMs([server]),
          split: cpuMs(sinks),
          database: when === 'alone' ? 0 : treeCpuMs(database),
          dashboard: dashboard === undefined ? 0 : cpuMs([dashboard]),
        });
        const before = look();
        await sleep(WINDOW_MS);
        const after = look();
        const used = (part: keyof typeof before) => ((after[part] - before[part]) / (after.at - before.at)) * 100;
        for (const part of ['daemon', 'tmux', 'split', 'database', 'dashboard'] as const)
          sheet.add(`${when} ${part}`, used(part));
        sheet.add(`${when} all`, used('tmux') + used('split') + (when === 'alone' ? 0 : used('daemon')));
      };
      const { NO_COLOR: _, ...env } = place.env;
      await sleep(SETTLE_MS);
      for (let round = 0; round < rounds; round += 1) {
        await watch('closed');
        const terminal = await openPty(`${ROOT}/bin/devflow tui`, { env, columns: 120, rows: 36 });
        await terminal.answers('\n', 'repo-');
        await sleep(1_000);
        await watch('open', terminal.pid);
        await terminal.close();
      }
      await place.devflow('down');
      await sleep(1_000);
      for (let round = 0; round < rounds; round += 1) await watch('alone');
      const figure = (name: string, key: string, aim?: Figure['aim']): Figure => {
        return { name, unit: '%', rounds: sheet.of(key), ...(aim ? { aim } : {}) };
      };
      const parts = (when: string, names: readonly string[]) =>
        names.map((part) => figure(`  ${part}`, `${when} ${part}`));
      return [
        figure('dashboard closed: daemon, tmux and split', 'closed all', { below: 4.4 }),
        ...parts('closed', ['daemon', 'tmux', 'split', 'database']),
        figure('dashboard open: daemon, tmux and split', 'open all', { below: 4.4 }),
        ...parts('open', ['daemon', 'tmux', 'split', 'database', 'dashboard']),
        figure('without a daemon: tmux and split', 'alone all'),
        ...parts('alone', ['tmux', 'split']),
      ];
    }),
};
