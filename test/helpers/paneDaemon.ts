import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { makeDaemon, type TestDaemon } from './daemon.ts';
import { SCRIPTED_AGENT } from './scriptedAgent.ts';

export const ROLES = { planner: 'claude', implementer: 'codex' } as const;
export interface PaneDaemon {
  daemon: TestDaemon;
  /** For `start`. */
  env: Record<string, string>;
  /** Of the scripted agents: their journal. */
  configDir: string;
}

/** A daemon whose agents are the scripted program, in panes of a tmux server of this test. */
export async function daemonWithPanes(): Promise<PaneDaemon> {
  const daemon = await makeDaemon();
  const configDir = join(daemon.root, 'scripted');
  const sockets = join(daemon.root, 'tmux');
  for (const directory of [configDir, sockets]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Whoever starts a tmux of this daemon: where it lies under /tmp, a dead socket stays for ever.
  daemon.env.TMUX_TMPDIR = sockets;
  const env = {
    DEVFLOW_TEST_PROFILE: 'scripted',
    DEVFLOW_CLAUDE_BINARY: SCRIPTED_AGENT,
    DEVFLOW_CODEX_BINARY: SCRIPTED_AGENT,
    SCRIPTED: 'busy-ms=150',
    SCRIPTED_CONFIG_DIR: configDir,
    SCRIPTED_FIXTURES: join(packageRoot(), 'schemas', 'artifacts', 'fixtures'),
  };
  onTestFinished(() => {
    const { socketName } = loadConfig(daemon.env).tmux;
    try {
      execFileSync('tmux', ['-L', socketName, 'kill-server'], { stdio: 'ignore', env: daemon.env });
    } catch {
      // Never started.
    }
  });
  return { daemon, env, configDir };
}
