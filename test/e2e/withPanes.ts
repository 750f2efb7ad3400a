import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { type DaemonOptions, makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';

export const ROLES = { planner: 'claude', implementer: 'codex' } as const;

export interface Panes {
  daemon: TestDaemon;
  /** Of the scripted agents: journal, events, conversations. */
  configDir: string;
  /** tmux on the server of the agents. */
  tmux(...args: string[]): string;
  socketPath: string;
}

/** A daemon, not yet started, whose agents are the scripted program in panes of a tmux server of this test. */
export async function makePanes(scripted: string, options: DaemonOptions = {}): Promise<Panes> {
  const daemon = await makeDaemon(options);
  const configDir = join(daemon.root, 'scripted');
  const sockets = join(daemon.root, 'tmux');
  for (const directory of [configDir, sockets]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  Object.assign(daemon.env, {
    TMUX_TMPDIR: sockets,
    TERM: 'xterm-256color',
    DEVFLOW_TEST_PROFILE: 'scripted',
    DEVFLOW_CLAUDE_BINARY: SCRIPTED_AGENT,
    DEVFLOW_CODEX_BINARY: SCRIPTED_AGENT,
    SCRIPTED: scripted,
    SCRIPTED_CONFIG_DIR: configDir,
    SCRIPTED_FIXTURES: join(packageRoot(), 'schemas', 'artifacts', 'fixtures'),
  });
  const { socketName } = loadConfig(daemon.env).tmux;
  const socketPath = join(sockets, `tmux-${process.getuid?.() ?? 0}`, socketName);
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socketPath, ...args], { encoding: 'utf8', env: daemon.env, stdio: 'pipe' }).trimEnd();
  onTestFinished(() => {
    try {
      tmux('kill-server');
    } catch {
      // Never started, or killed by the test.
    }
    rmSync(socketPath, { force: true });
  });
  return { daemon, configDir, tmux, socketPath };
}
