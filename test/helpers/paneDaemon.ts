import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { type DaemonOptions, makeDaemon, type TestDaemon } from './daemon.ts';
import { SCRIPTED_AGENT } from './scriptedAgent.ts';

export const ROLES = { planner: 'claude', implementer: 'codex' } as const;

export interface Panes {
  daemon: TestDaemon;
  /** The directory of the scripted agents: journal, events, conversations. */
  configDir: string;
  /** Runs tmux on the server of the agents. */
  tmux(...args: string[]): string;
  socketPath: string;
}

export interface PaneDaemon extends Panes {
  /** The environment for `start`. */
  env: Record<string, string>;
}

/** A daemon, not yet started. Its agents are the scripted program, in panes of this test's tmux server. */
export async function makePanes(scripted: string, options: DaemonOptions = {}): Promise<Panes> {
  const panes = await makeAgentServer(options);
  Object.assign(panes.daemon.env, scriptedAgents(panes, scripted), { TERM: 'xterm-256color' });
  return panes;
}

/** The same, but only a daemon that starts with `env` has scripted agents. */
export async function daemonWithPanes(): Promise<PaneDaemon> {
  const panes = await makeAgentServer({});
  return { ...panes, env: scriptedAgents(panes, 'busy-ms=150') };
}

function scriptedAgents({ configDir }: Panes, scripted: string): Record<string, string> {
  return {
    DEVFLOW_TEST_PROFILE: 'scripted',
    DEVFLOW_CLAUDE_BINARY: SCRIPTED_AGENT,
    DEVFLOW_CODEX_BINARY: SCRIPTED_AGENT,
    SCRIPTED: scripted,
    SCRIPTED_CONFIG_DIR: configDir,
    SCRIPTED_FIXTURES: join(packageRoot(), 'schemas', 'artifacts', 'fixtures'),
  };
}

async function makeAgentServer(options: DaemonOptions): Promise<Panes> {
  const daemon = await makeDaemon(options);
  const configDir = join(daemon.root, 'scripted');
  const sockets = join(daemon.root, 'tmux');
  for (const directory of [configDir, sockets]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  // In the daemon's own environment, so that all its tmux commands use this place. A dead socket would stay in /tmp.
  daemon.env.TMUX_TMPDIR = sockets;
  const { socketName } = loadConfig(daemon.env).tmux;
  const socketPath = join(sockets, `tmux-${process.getuid?.() ?? 0}`, socketName);
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socketPath, ...args], { encoding: 'utf8', env: daemon.env, stdio: 'pipe' }).trimEnd();
  daemon.afterStop(() => {
    try {
      tmux('kill-server');
    } catch {
      // Never started, or killed by the test.
    }
    rmSync(socketPath, { force: true });
  });
  return { daemon, configDir, tmux, socketPath };
}
