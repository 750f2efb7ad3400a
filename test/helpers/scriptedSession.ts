import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { StartInput } from '../../daemon/sessions/contract/adapter.ts';
import { scripted } from '../../daemon/sessions/profiles/scripted.ts';
import type { AgentOptions } from '../../daemon/sessions/tmux/agentOptions.ts';
import type { Profile } from '../../daemon/sessions/tmux/profile/profile.ts';
import { type AgentServer, createAgentServer } from '../../daemon/sessions/tmux/server/agentServer.ts';
import { ownServerLines } from '../../daemon/sessions/tmux/server/ownKeys.ts';
import { sessionNameOf } from '../../daemon/sessions/tmux/server/sessionName.ts';
import { TmuxSessionAdapter } from '../../daemon/sessions/tmux/tmuxAdapter.ts';
import type { PromptEnvelope } from '../../schemas/envelope.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { PaneId } from '../../tmux/command/ids.ts';
import { sendKeys } from '../../tmux/panes/keys.ts';
import { listPanes } from '../../tmux/panes/panes.ts';
import type { Server } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { startServer } from '../../tmux/server/startServer.ts';
import { readEvents, readJournal, type ScriptedEvent, type Submission } from '../fixtures/scripted/journal.ts';
import { sessionPlace } from './fakeSession.ts';
import { SCRIPTED_AGENT } from './scriptedAgent.ts';
import { sendText } from './tmuxActs.ts';
import { type TestTmux, useTmuxServer } from './tmuxServer.ts';
import { until } from './until.ts';

export interface ScriptedSession {
  adapter: TmuxSessionAdapter;
  /** What the next daemon has: its own connection and adapter. */
  next(more?: Partial<AgentOptions>): TmuxSessionAdapter;
  /** The connection of its first adapter. */
  agents: AgentServer;
  input: StartInput;
  configDir: string;
  /** From the configuration. */
  env: Record<string, string>;
  envelope(about?: Partial<PromptEnvelope>): PromptEnvelope;
  journal(): Promise<Submission[]>;
  events(what: string): Promise<ScriptedEvent[]>;
  /** Waits until the program has reported so many events of a kind. */
  happened(what: string, count?: number): Promise<ScriptedEvent>;
  pane(): Promise<PaneId>;
  /** Types into its pane as a person does. `press` takes tmux's key names. */
  type(text: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
  tmux: TestTmux;
  server: Server;
}

export interface GivenSession {
  scripted?: string;
  shared?: boolean;
  /** On a separate tmux server for this session, because each server belongs to one daemon. */
  apart?: boolean;
  /** Milliseconds of silence before the connection to tmux is probed. Default: the daemon's. */
  quietMs?: number;
  roleId?: string;
  timings?: Partial<Profile['timings']>;
  at?: AgentOptions['at'];
  maxHungMs?: number;
  errorRetryMs?: number;
  profile?: Partial<Profile>;
}

const NEVER_MS = 24 * 60 * 60_000;

/** Call it in a describe or at the top of a file. After each test it removes everything, with all programs. */
export function useScriptedSessions(): (given?: GivenSession) => Promise<ScriptedSession> {
  const tmux = useTmuxServer();
  const servers: AgentServer[] = [];
  const adapters: { adapter: TmuxSessionAdapter; sessionId: string; sessionDir: string }[] = [];
  let theirs: Server | undefined;
  afterEach(async () => {
    // Only the last adapter of a session ends it. A torture test makes hundreds.
    const last = new Map(adapters.map((each) => [each.sessionId, each]));
    const others = adapters.splice(0).filter((each) => last.get(each.sessionId) !== each);
    await Promise.all(others.map(({ adapter, sessionId }) => adapter.release({ sessionId })));
    // Without its tmux server, only the directory of a session is left.
    await Promise.all([...last.values()].map(({ adapter, ...handle }) => adapter.dispose(handle)));
    await Promise.all(servers.splice(0).map((server) => server.close()));
    theirs = undefined;
  });

  return async (about = {}) => {
    const {
      scripted: misbehaviour = '',
      shared = false,
      apart = false,
      quietMs,
      roleId,
      timings = {},
      at,
      maxHungMs = NEVER_MS,
      errorRetryMs = NEVER_MS,
      profile,
    } = about;
    const place = await sessionPlace(roleId);
    const configDir = join(tmux().home, `config-${place.input.roleId}`);
    mkdirSync(configDir, { recursive: true });
    if (shared) theirs ??= await sharedServer(tmux());
    const server = theirs ?? (apart ? tmux().another('own') : tmux().server);
    const input: StartInput = { ...place.input, backend: 'claude', prelude: 'You are the scripted agent.' };
    const env = { SCRIPTED: misbehaviour, SCRIPTED_CONFIG_DIR: configDir, SCRIPTED_FIXTURES: place.fixturesDir };
    const next = (more: Partial<AgentOptions> = {}) => {
      const agents = createAgentServer(server, ownServerLines(packageRoot()), { quietMs });
      servers.push(agents);
      const adapter = new TmuxSessionAdapter({
        server: agents,
        binaryPath: SCRIPTED_AGENT,
        args: [],
        at,
        maxHungMs,
        errorRetryMs,
        profile: { ...scripted, ...profile, timings: { ...scripted.timings, ...timings } },
        parentEnv: server.env ?? {},
        env,
        ...more,
      });
      adapters.push({ adapter, sessionId: input.sessionId, sessionDir: input.sessionDir });
      return adapter;
    };
    const pane = async () => {
      const panes = await listPanes(spawnRunner(server));
      const found = panes.find(({ sessionName }) => sessionName === sessionNameOf(input));
      if (!found) throw new Error('it has no pane');
      return found.pane;
    };
    const events = async (what: string) => (await readEvents(configDir)).filter((each) => each.what === what);
    return {
      input,
      configDir,
      env,
      next,
      events,
      server,
      adapter: next(),
      agents: servers.at(-1) as AgentServer,
      tmux: tmux(),
      envelope: (about = {}) => place.envelope({ ...about }),
      journal: () => readJournal(configDir),
      pane,
      type: async (text) => sendText(spawnRunner(server), await pane(), text),
      press: async (...keys) => sendKeys(spawnRunner(server), await pane(), keys),
      happened: (what, count = 1) => until(`${count} × ${what}`, async () => (await events(what))[count - 1]),
    };
  };
}

/** A server in place of the person's, with sessions, options and an environment of its own. */
async function sharedServer(tmux: TestTmux): Promise<Server> {
  const options = ['set -g base-index 1', 'set -g pane-base-index 1', 'set -g remain-on-exit off', 'set -g mouse on'];
  const own = tmux.another('own', [...options, 'set-environment -g PERSONS_SECRET of-the-shell']);
  await startServer(own);
  const driver = await tmux.driver({ server: own });
  await driver.run([['new-session', '-d', '-s', 'work', '-x', '80', '-y', '24', 'exec sleep 2147483647']]);
  return { ...own, owner: 'theirs', configFile: undefined };
}
