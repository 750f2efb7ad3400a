import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Runner } from '../../tmux/command/runner.ts';
import { type DriverOptions, TmuxDriver } from '../../tmux/driver.ts';
import { splitSink } from '../../tmux/panes/pipe.ts';
import { type PaneStart, type StartedPane, startPane } from '../../tmux/process/startPane.ts';
import { writeConfig } from '../../tmux/server/config.ts';
import type { Server } from '../../tmux/server/server.ts';
import { runSpawned, spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { processesLeft } from './leaks.ts';

/** A tmux server for one test: its own name, socket directory, home and configuration. */
export interface TestTmux {
  readonly server: Server;
  /** The directory with its home, socket and other files; removed afterwards. */
  readonly home: string;
  /** Runs tmux without a connection. */
  readonly spawned: Runner;
  /** Another server with its own name, not started. It ends with the test like the first. */
  another(owner: Server['owner'], config?: readonly string[]): Server;
  /** Opened on first use unless a server is given; closed with the test. */
  driver(options?: DriverOptions & { server?: Server }): Promise<TmuxDriver>;
  /** A pane in a new session that runs `sh -c script`, piped to `<its directory>/out.*`. */
  pane(runner: Runner, script: string, change?: Partial<PaneStart>): Promise<StartedPane & { directory: string }>;
}

/** Call it in a describe or at the top of a file, and the function it returns inside the tests. */
export function useTmuxServer(): () => TestTmux {
  let current: { tmux: TestTmux; end: () => Promise<void> } | undefined;
  beforeEach(() => {
    current = makeTestTmux();
  });
  afterEach(async () => {
    const ended = current;
    current = undefined;
    await ended?.end();
  });
  return () => {
    if (current === undefined) throw new Error('A tmux server exists only while a test runs.');
    return current.tmux;
  };
}

/** Whether a server answers there. */
export async function isUp(server: Server): Promise<boolean> {
  return runSpawned(server, [['display-message', '-p', 'up']]).then(
    () => true,
    () => false,
  );
}

function makeTestTmux(): { tmux: TestTmux; end: () => Promise<void> } {
  const home = mkdtempSync(join(tmpdir(), 'tmux-test-'));
  // `-L` puts sockets into TMUX_TMPDIR. The variable also marks all descendants of the test's servers.
  const env = { PATH: process.env.PATH, HOME: home, TMUX_TMPDIR: home, LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  const drivers: TmuxDriver[] = [];
  let shared: Promise<TmuxDriver> | undefined;

  const another = (owner: Server['owner'], config: readonly string[] = []): Server => {
    const name = `test-${randomUUID().slice(0, 8)}`;
    const configFile = join(home, `${name}.conf`);
    writeConfig(configFile, config);
    return { owner, binary: 'tmux', address: { name }, configFile, env };
  };
  const open = async (server: Server, options: DriverOptions): Promise<TmuxDriver> => {
    const driver = await TmuxDriver.open(server, options);
    drivers.push(driver);
    return driver;
  };
  const server = another('own');

  const tmux: TestTmux = {
    server,
    home,
    spawned: spawnRunner(server),
    another,
    driver: ({ server: other, ...options } = {}) => {
      if (other !== undefined) return open(other, options);
      shared ??= open(server, options);
      return shared;
    },
    pane: async (runner, script, change) => {
      const key = randomUUID().slice(0, 8);
      const directory = change?.directory ?? join(home, key);
      const started = await startPane(runner, {
        place: { newSession: `s-${key}` },
        windowName: key,
        cwd: home,
        directory,
        program: { argv: ['/bin/sh', '-c', script] },
        sink: splitSink(directory, 'out'),
        ...change,
      });
      return { ...started, directory };
    },
  };
  return {
    tmux,
    end: async () => {
      for (const driver of drivers) await driver.close();
      const leaked = await endAll(home);
      const strays = existsSync(defaultSockets())
        ? readdirSync(defaultSockets()).filter((f) => f.startsWith('test-'))
        : [];
      rmSync(home, { recursive: true, force: true });
      if (leaked.length + strays.length > 0) throw new Error(`Left behind: ${[...leaked, ...strays].join(', ')}`);
    },
  };
}

/** Where tmux puts sockets by default. The tests' servers have their own directory. */
function defaultSockets(): string {
  return `/tmp/tmux-${process.getuid?.() ?? 0}`;
}

/** Ends the servers by pid. Everything in their panes must then end too. Returns what did not. */
async function endAll(home: string): Promise<string[]> {
  for (const { pid, name } of descendants(home)) if (name.startsWith('tmux: server')) kill(pid, 'SIGTERM');
  const leaked = await processesLeft(() => descendants(home));
  for (const { pid } of leaked) kill(pid, 'SIGKILL');
  return leaked.map(({ pid, name }) => `${name} (${pid})`);
}

/** Processes with the test's own socket directory in their environment. Linux only; elsewhere it finds none. */
export function descendants(home: string): { pid: number; name: string }[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const environment = readFileSync(`/proc/${entry}/environ`, 'latin1');
        if (!environment.split('\0').includes(`TMUX_TMPDIR=${home}`)) return [];
        return [{ pid: Number(entry), name: readFileSync(`/proc/${entry}/comm`, 'utf8').trim() }];
      } catch {
        return [];
      }
    });
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
