import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { ANY_PROGRAM } from '../../../schemas/backends/backendFacts.ts';
import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import type { BackendConfig, Config } from '../../../schemas/config/config.ts';
import type { Env, Paths } from '../../../schemas/files/paths.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../schemas/names.ts';
import type { Server } from '../../../tmux/server/server.ts';
import { killServer } from '../../../tmux/server/startServer.ts';
import { trySandbox } from '../../sandbox/trySandbox.ts';
import type { Profile } from '../../sessions/tmux/profile/profile.ts';
import { serverEnvironment } from '../../sessions/tmux/server/agentEnv.ts';
import { createAgentServer } from '../../sessions/tmux/server/agentServer.ts';
import { TMUX_RECOMMENDED } from '../checks/programs.ts';
import { type CheckResult, type Diagnosis, fail, pass, warn } from '../probe/check.ts';
import { rowOf, SANDBOX_ROW, sandboxRowOf } from './findings.ts';
import { tryAgent } from './trial.ts';

export interface TrialOptions {
  config: Config;
  paths: Paths;
  env: Env;
  profileOf(id: AgentProgram): Profile;
  signal?: AbortSignal;
}

/**
 * Tests that devflow recognizes each installed agent CLI by what it shows (`devflow doctor --agents`). They start in parallel,
 * without a prompt, on a separate tmux server and in a scratch repository. They read the user's own configuration, as in a run.
 */
export async function tryAgents(options: TrialOptions): Promise<CheckResult[]> {
  const { config, paths, env, profileOf, signal = new AbortController().signal } = options;
  const wanted = AGENT_PROGRAMS.flatMap((id) => {
    const backend = config.backends[id];
    return isThere(backend) ? [{ id, profile: profileOf(id), backend }] : [];
  });
  const tmux = config.tmux.binaryPath ?? findOnPath('tmux', env.PATH ?? '');
  if (tmux === undefined)
    return [{ name: 'tmux', ...fail('tmux is not on PATH', `Install tmux ${TMUX_RECOMMENDED.join('.')} or later.`) }];
  const skipped = AGENT_PROGRAMS.filter((id) => !wanted.some((each) => each.id === id));
  const rows = skipped.map((id) => ({ name: id, ...untested(config.backends[id]) }));
  if (wanted.length === 0) {
    const remediation = `Install ${ANY_PROGRAM}, and enable it in config.yaml.`;
    return [...rows, { name: 'agents', ...warn('no agent is installed and enabled', remediation) }];
  }

  // Always the same folder, so that programs ask only once whether to trust it.
  const home = join(paths.stateDir, 'doctor');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(home, 'trial-'));
  const server: Server = {
    owner: 'own',
    binary: tmux,
    address: { name: `devflow-doctor-${randomUUID().slice(0, 8)}` },
    configFile: join(directory, 'tmux.conf'),
    env: serverEnvironment(env),
  };
  const agents = createAgentServer(server);
  try {
    const cwd = await scratchRepository(join(home, 'scratch'), env);
    const sandbox = await trySandbox({ level: 'agents' }, env).catch(() => undefined);
    const tried = wanted.map(async ({ id, profile, backend }): Promise<CheckResult[]> => {
      const place = { id, profile, backend, server: agents, env, cwd, signal };
      try {
        const trial = await tryAgent({ ...place, directory: join(directory, id) });
        if (!sandbox || trial.outcome !== 'ready') return [rowOf(trial)];
        const inside = await tryAgent({ ...place, sandbox, directory: join(directory, `${id}-sandbox`) });
        return [rowOf(trial), sandboxRowOf(inside)];
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return [{ name: id, ...fail(`the test failed: ${why}`, 'Fix the cause, then try again.') }];
      }
    });
    return inOrder([...rows, ...(await Promise.all(tried)).flat()]);
  } finally {
    await agents.close();
    await killServer(server).catch(() => {});
    rmSync(directory, { recursive: true, force: true });
  }
}

function isThere(backend: BackendConfig): backend is BackendConfig & { binaryPath: string } {
  return backend.available && backend.binaryPath !== undefined;
}

/** A missing program is no fault here: `devflow doctor` warns about it. */
function untested({ enabled, reason }: BackendConfig): Diagnosis {
  return pass(`not tested: ${enabled ? (reason ?? 'it has no program') : 'disabled in the configuration'}`);
}

function inOrder(rows: readonly CheckResult[]): CheckResult[] {
  const ids: readonly string[] = AGENT_PROGRAMS;
  const placeOf = ({ name }: CheckResult) => ids.indexOf(name.replace(SANDBOX_ROW, ''));
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}

async function scratchRepository(directory: string, env: Env): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (existsSync(join(directory, '.git'))) return directory;
  const who = ['-c', 'user.name=devflow', '-c', 'user.email=devflow@localhost', '-c', 'commit.gpgsign=false'];
  const options = { cwd: directory, env: { PATH: env.PATH ?? '', HOME: env.HOME ?? '' }, extendEnv: false };
  await execa('git', ['init', '--quiet', '--initial-branch=main'], options);
  await execa('git', [...who, 'commit', '--quiet', '--allow-empty', '--message=Nothing'], options);
  return directory;
}
