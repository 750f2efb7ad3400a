import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StartInput } from '../../daemon/sessions/contract/adapter.ts';
import { scripted } from '../../daemon/sessions/profiles/scripted.ts';
import type { AgentOptions } from '../../daemon/sessions/tmux/agentOptions.ts';
import { TIMINGS } from '../../daemon/sessions/tmux/profile/profile.ts';
import { createAgentServer } from '../../daemon/sessions/tmux/server/agentServer.ts';
import { TmuxSessionAdapter } from '../../daemon/sessions/tmux/tmuxAdapter.ts';
import { endAtSignal } from './endings.ts';
import { makeDirectory, ROOT } from './place.ts';
import { endMarked, MARK, tmuxServerOf } from './processes.ts';

export interface HereAgent {
  input: StartInput;
  /** The pid of the wrapper around its program. */
  panePid: number;
}

export interface AgentsHere {
  adapter: TmuxSessionAdapter;
  /** Starts one more and waits until it can take a prompt. */
  start(more?: Pick<StartInput, 'sandbox'>): Promise<HereAgent>;
  tmuxServer(): number;
  /** The terminal of its pane. */
  tty(agent: HereAgent): Promise<string>;
}

/** Agents in real panes. This process watches them as the daemon does, so that each moment can be timed. */
export async function withAgents<T>(
  options: Pick<AgentOptions, 'binaryPath' | 'at' | 'prepareSandbox'>,
  use: (agents: AgentsHere) => Promise<T>,
): Promise<T> {
  const home = makeDirectory();
  const base = { HOME: home, [MARK]: home, LANG: 'C.UTF-8', SHELL: '/bin/sh' };
  const env: Record<string, string> = { ...base, PATH: process.env.PATH ?? '' };
  const server = createAgentServer({
    owner: 'own',
    binary: 'tmux',
    address: { name: 'bench' },
    configFile: join(home, 'tmux.conf'),
    env,
  });
  const adapter = new TmuxSessionAdapter({
    profile: { ...scripted, timings: TIMINGS },
    server,
    args: [],
    parentEnv: env,
    maxHungMs: 20 * 60_000,
    errorRetryMs: 20 * 60_000,
    ...options,
    env: {
      SCRIPTED: 'busy-ms=0',
      SCRIPTED_CONFIG_DIR: join(home, 'scripted'),
      SCRIPTED_FIXTURES: join(ROOT, 'schemas', 'artifacts', 'fixtures'),
    },
  });
  const started: StartInput[] = [];
  const end = async () => {
    await endMarked(home);
    rmSync(home, { recursive: true, force: true });
  };
  const ended = endAtSignal(end);
  try {
    return await use({
      adapter,
      async start(more = {}) {
        const sessionId = randomUUID();
        const [sessionDir, cwd] = [join(home, sessionId), join(home, `${sessionId}-worktree`)];
        mkdirSync(cwd);
        const input: StartInput = {
          sessionId,
          runId: randomUUID(),
          repoPath: cwd,
          roleId: 'bench',
          laneId: 'main',
          backend: 'claude',
          cwd,
          sessionDir,
          ...more,
        };
        started.push(input);
        const { pid } = await adapter.start(input);
        if (pid === undefined) throw new Error('the agent has no pane');
        return { input, panePid: pid };
      },
      tmuxServer() {
        const pid = tmuxServerOf(home);
        if (pid === undefined) throw new Error('no tmux server of the benchmark runs');
        return pid;
      },
      async tty({ input }) {
        const at = await adapter.attachPoint(input.sessionId);
        const args = ['-S', at?.socket ?? '', 'display-message', '-p', '-t', at?.paneId ?? '', '#{pane_tty}'];
        return execFileSync('tmux', args, { encoding: 'utf8' }).trim();
      },
    });
  } finally {
    for (const each of started) await adapter.release(each);
    await server.close();
    await end();
    ended();
  }
}
