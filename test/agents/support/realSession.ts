import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { prepareAgentSandbox } from '../../../daemon/sandbox/agentSandbox.ts';
import type { AgentStall, SessionHandle, StartInput } from '../../../daemon/sessions/contract/adapter.ts';
import { PROFILES } from '../../../daemon/sessions/profiles/index.ts';
import { retrySend, SEND_RETRY_DELAYS_MS } from '../../../daemon/sessions/retrySend.ts';
import type { AgentOptions } from '../../../daemon/sessions/tmux/agentOptions.ts';
import type { Launch, Timings } from '../../../daemon/sessions/tmux/profile/profile.ts';
import { type AgentServer, createAgentServer } from '../../../daemon/sessions/tmux/server/agentServer.ts';
import { ownServerLines } from '../../../daemon/sessions/tmux/server/ownKeys.ts';
import { sessionNameOf } from '../../../daemon/sessions/tmux/server/sessionName.ts';
import { TmuxSessionAdapter } from '../../../daemon/sessions/tmux/tmuxAdapter.ts';
import { type PromptEnvelope, promptHash } from '../../../schemas/envelope.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { shellQuote } from '../../../tmux/command/command.ts';
import type { PaneId } from '../../../tmux/command/ids.ts';
import { capturePane } from '../../../tmux/panes/capture.ts';
import { sendKeys } from '../../../tmux/panes/keys.ts';
import { listPanes } from '../../../tmux/panes/panes.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import type { Cells } from '../../../tmux/server/fitWindows.ts';
import { spawnRunner } from '../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../tmux/server/startServer.ts';
import { type Model, startModel } from '../../fixtures/model/model.ts';
import type { Scenario } from '../../fixtures/model/scenario.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';
import { sendText } from '../../helpers/tmuxActs.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';
import { BINARIES } from '../programs/found.ts';
import type { Program } from '../programs/pins.ts';
import { type Seeding, seed } from './seed.ts';

export interface RealSession {
  adapter: TmuxSessionAdapter;
  /** What the next daemon has: its own connection and adapter. */
  next(more?: Partial<AgentOptions>): TmuxSessionAdapter;
  /** Ends a daemon: the agent works on, and the connection is closed. */
  end(adapter: TmuxSessionAdapter): Promise<void>;
  input: StartInput;
  model: Model;
  home: string;
  envelope(about?: Partial<PromptEnvelope>): PromptEnvelope;
  /** Every reported stall; undefined for the end of one. */
  told: (AgentStall | undefined)[];
  exits: string[];
  /** The state at the beginning of a probe's hint. */
  state(): Promise<string>;
  /** Waits until `probe` finds the agent in one of these states. Returns the signals that decided. */
  becomes(...states: string[]): Promise<string>;
  why(): Promise<string[]>;
  screen(): Promise<string>;
  press(...keys: string[]): Promise<void>;
  /** Shows the agent on a terminal of that size (a pane of another server), as `devflow attach` does. */
  attach(size: Cells): Promise<Terminal>;
  start(): Promise<SessionHandle>;
  serverPid(): Promise<number>;
}

export interface Terminal {
  screen(): Promise<string>;
  type(text: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
}

export interface GivenReal {
  scenario?: Scenario;
  trusted?: boolean;
  loggedIn?: Seeding['loggedIn'];
  /** Changes the command line that the profile makes. */
  launch?(launch: Launch): Launch;
  env?: Readonly<Record<string, string>>;
  permissionMode?: StartInput['permissionMode'];
  /** In the sandbox of an agent. */
  sandboxed?: boolean;
  waits?: Partial<Timings>;
}

/** Real programs in panes of the test's own tmux server, with the test's own home and model. */
export function useRealSessions(): (program: Program, given?: GivenReal) => Promise<RealSession> {
  const tmux = useTmuxServer();
  const adapters: { adapter: TmuxSessionAdapter; sessionId: string; server: AgentServer }[] = [];
  const models: Model[] = [];
  afterEach(async () => {
    const left = adapters.splice(0);
    for (const { adapter, sessionId } of left) await adapter.dispose({ sessionId });
    for (const { server } of left) await server.close();
    for (const model of models.splice(0)) await model.close();
  });

  return async (
    program,
    {
      scenario,
      trusted = true,
      loggedIn = true,
      launch: change,
      env: more = {},
      permissionMode = 'execute',
      sandboxed = false,
      waits = {},
    } = {},
  ) => {
    const { server } = tmux();
    const home = realpathSync(tmux().home);
    const model = await startModel(scenario);
    models.push(model);
    const repo = makeRepo(join(home, 'repo'), isolatedEnv(home));
    const cwd = join(home, 'worktrees', program);
    repo.git('worktree', 'add', '-q', '-b', `devflow/${program}`, cwd);
    const env = { ...seed(program, { home, modelUrl: model.url, repo: repo.dir, trusted, loggedIn }), ...more };
    const runId = derivedId('real', program);
    const sessionId = derivedId(runId, 'session');
    const input: StartInput = {
      sessionId,
      runId,
      repoPath: repo.dir,
      roleId: 'planner',
      laneId: 'main',
      backend: program,
      cwd,
      permissionMode,
      sessionDir: join(home, 'session'),
      prelude: 'You are an agent under test. Answer with the artifact.',
      ...(sandboxed && {
        sandbox: { wish: WISH, worktree: { repoPath: repo.dir, path: cwd, branch: `devflow/${program}` } },
      }),
    };
    const handle = { sessionId };
    const told: (AgentStall | undefined)[] = [];
    const exits: string[] = [];
    const next = (more: Partial<AgentOptions> = {}) => {
      const agents = createAgentServer(server, ownServerLines(packageRoot()));
      const profile = PROFILES[program];
      const options: AgentOptions = {
        server: agents,
        args: [],
        env,
        maxHungMs: 24 * 60 * 60_000,
        errorRetryMs: 24 * 60 * 60_000,
        parentEnv: server.env ?? {},
        profile: {
          ...profile,
          timings: { ...profile.timings, ...waits },
          launch(about) {
            const launch = profile.launch(about);
            return change ? change(launch) : launch;
          },
        },
        binaryPath: BINARIES[program],
        prepareSandbox: (input) => prepareAgentSandbox(input, []),
        ...more,
      };
      const adapter = new TmuxSessionAdapter(options);
      const { sendPrompt } = adapter;
      // As the session manager does: a busy program may lose a paste, and only one that is certainly gone is made again.
      adapter.sendPrompt = (...prompt) =>
        retrySend(
          () => sendPrompt.apply(adapter, prompt),
          SEND_RETRY_DELAYS_MS,
          () => true,
          ({ message }) => console.log(`${program}: sent again: ${message}`),
        );
      adapters.push({ adapter, sessionId, server: agents });
      return adapter;
    };
    const end = async (adapter: TmuxSessionAdapter) => {
      await adapter.release(handle);
      const at = adapters.findIndex((each) => each.adapter === adapter);
      await adapters.splice(at, 1)[0]?.server.close();
    };
    const adapter = next();
    adapter.onStall((_, stall) => told.push(stall));
    const found = async () => {
      const panes = await listPanes(spawnRunner(server));
      const pane = panes.find(({ sessionName }) => sessionName === sessionNameOf(input));
      if (!pane) throw new Error('it has no pane');
      return pane;
    };
    const pane = async (): Promise<PaneId> => (await found()).pane;
    const state = async () => (await adapter.probe(handle)).hint?.split(' ')[0] ?? 'nothing';
    const screen = async () =>
      pane()
        .then(async (id) => (await capturePane(spawnRunner(server), id, {})).join('\n').trimEnd())
        .catch((error) => String(error));
    const why = async () => (await adapter.explain(handle)).map(({ source, fact }) => `${source}: ${fact}`);
    return {
      adapter,
      next,
      end,
      input,
      model,
      home,
      told,
      exits,
      state,
      screen,
      why,
      envelope: (about) => envelopeOf(input, about),
      async becomes(...states) {
        try {
          return await until(`${program} is ${states.join(' or ')}`, async () => {
            const now = await state();
            return states.includes(now) ? now : undefined;
          });
        } catch (error) {
          throw new Error(`${error}\n${(await why()).join('\n')}\n${await screen()}`);
        }
      },
      serverPid: async () => (await readIdentity(spawnRunner(server))).pid,
      press: async (...keys) => sendKeys(spawnRunner(server), await pane(), keys),
      async attach(size) {
        const { session } = await found();
        const words = attachArgv(server, session).map(shellQuote).join(' ');
        const outer = await tmux().driver({ server: tmux().another('own') });
        const terminal = await tmux().pane(outer, `unset TMUX; exec ${words}`, { size });
        return {
          screen: async () => (await capturePane(outer, terminal.pane, {})).join('\n').trimEnd(),
          type: (text) => sendText(outer, terminal.pane, text),
          press: (...keys) => sendKeys(outer, terminal.pane, keys),
        };
      },
      async start() {
        try {
          const started = await adapter.start(input);
          adapter.onExit(handle, ({ reason }) => exits.push(reason));
          return started;
        } catch (error) {
          throw new Error(`${error}\n${(await why()).join('\n')}\n${await screen()}`, { cause: error });
        }
      },
    };
  };
}

const WISH = { level: 'agents', by: 'bubblewrap' } as const;

function envelopeOf(input: StartInput, about: Partial<PromptEnvelope> = {}): PromptEnvelope {
  const subject = {
    runId: input.runId,
    roleId: input.roleId,
    phaseKey: 'spec',
    attempt: 1,
    expectedSchema: 'dev/spec@1',
    instructions: 'Write the specification.',
    ...about,
  };
  const { phaseKey, attempt } = subject;
  const expectedArtifact = join(input.cwd, '.devflow', 'artifacts', phaseKey, `${attempt}`, 'spec.json');
  const dedupKey = promptHash({ expectedArtifact, ...subject });
  return { expectedArtifact, ...subject, dedupKey, uuid: derivedId(dedupKey) };
}
