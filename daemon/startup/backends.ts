import { join } from 'node:path';
import { findOnPath } from '../../schemas/config/backendBinaries.ts';
import type { BackendConfig, Config } from '../../schemas/config/config.ts';
import { FIXTURES } from '../../schemas/definitions/schemaIds.ts';
import type { Backend } from '../../schemas/enums.ts';
import { devflowDirectories, type Env, type Paths } from '../../schemas/files/paths.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../schemas/names.ts';
import type { Server } from '../../tmux/server/server.ts';
import type { PackagePlaces } from '../definitions/places.ts';
import { type AgentSandboxInput, prepareAgentSandbox } from '../sandbox/agentSandbox.ts';
import type { SessionAdapter } from '../sessions/contract/adapter.ts';
import { FakeSessionAdapter } from '../sessions/fake/fake.ts';
import { PROFILES } from '../sessions/profiles/index.ts';
import { scripted } from '../sessions/profiles/scripted.ts';
import type { Profile } from '../sessions/tmux/profile/profile.ts';
import { serverEnvironment } from '../sessions/tmux/server/agentEnv.ts';
import { createAgentServer } from '../sessions/tmux/server/agentServer.ts';
import { ownServerLines } from '../sessions/tmux/server/ownKeys.ts';
import { TmuxSessionAdapter } from '../sessions/tmux/tmuxAdapter.ts';

export interface Backends {
  adapters: Partial<Record<Backend, SessionAdapter>>;
  /** The configuration, with backends marked unavailable that this machine cannot drive. */
  config: Config;
  /** Cleans the environment of devflow's tmux server if an earlier daemon started it. */
  cleanEnvironment(): Promise<void>;
  /** Disconnects from the tmux server; the agents keep running. */
  close(): Promise<void>;
}

/** The adapters of this daemon. The first agent that needs the tmux server starts it. */
export function createBackends(options: { config: Config; places: PackagePlaces; paths: Paths; env: Env }): Backends {
  const { config, places, paths, env } = options;
  const tmux = config.tmux.binaryPath ?? findOnPath('tmux', env.PATH ?? '');
  const server = createAgentServer(serverOf(config.tmux, tmux ?? 'tmux', paths, env), ownServerLines(places.root));
  const hidden = [...devflowDirectories(paths), config.workspaceRoot];
  const adapters: Backends['adapters'] = {
    fake: new FakeSessionAdapter({
      fixturesDir: [places.fixtures, join(paths.userArtifacts, FIXTURES)],
      delayMs: config.fake.delayMs,
    }),
  };
  const usable = AGENT_PROGRAMS.map((id): [AgentProgram, BackendConfig] => {
    const backend = config.backends[id];
    if (!backend.available || !backend.binaryPath) return [id, backend];
    if (!tmux) return [id, { ...backend, available: false, reason: 'tmux is not on PATH' }];
    const { binaryPath, args } = backend;
    const { maxHungMs, errorRetryMs } = config.recovery;
    const agents = { profile: profileOf(id, env), server, binaryPath, args, maxHungMs, errorRetryMs };
    const sandboxes = { prepareSandbox: (input: AgentSandboxInput) => prepareAgentSandbox(input, hidden) };
    adapters[id] = new TmuxSessionAdapter({ ...agents, ...sandboxes, parentEnv: env, env: backend.env });
    return [id, backend];
  });
  return {
    adapters,
    config: { ...config, backends: { ...config.backends, ...Object.fromEntries(usable) } },
    cleanEnvironment: async () => {
      if (tmux) await server.cleanEnvironment();
    },
    close: () => server.close(),
  };
}

/** devflow neither starts, nor configures, nor ends a user's tmux server. */
function serverOf(
  { server, socketName, socketPath }: Config['tmux'],
  binary: string,
  paths: Paths,
  parentEnv: Env,
): Server {
  const address = socketPath === undefined ? { name: socketName } : { socketPath };
  const env = serverEnvironment(parentEnv);
  if (server === 'user') return { owner: 'theirs', binary, address, env };
  return { owner: 'own', binary, address, env, configFile: paths.tmuxConfig };
}

/** End-to-end tests replace the agents by a test program. */
export function profileOf(id: AgentProgram, env: Env): Profile {
  const profile = PROFILES[id];
  return env.DEVFLOW_TEST_PROFILE === 'scripted' ? { ...scripted, tried: profile.tried } : profile;
}
