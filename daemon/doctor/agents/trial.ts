import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { BackendConfig } from '../../../schemas/config/config.ts';
import type { Env } from '../../../schemas/files/paths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { AgentProgram } from '../../../schemas/names.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { readIdentity } from '../../../tmux/server/startServer.ts';
import { type AgentSandboxInput, prepareAgentSandbox } from '../../sandbox/agentSandbox.ts';
import { outsideOf } from '../../sandbox/ownPlaces.ts';
import type { StartInput } from '../../sessions/contract/adapter.ts';
import { openLedger } from '../../sessions/tmux/deliver/ledger.ts';
import { settleMs } from '../../sessions/tmux/deliver/settleMs.ts';
import { launchAgent, outputDirOf, paneDirOf } from '../../sessions/tmux/launchAgent.ts';
import { type Observer, observe } from '../../sessions/tmux/observe/observer.ts';
import { openLaunches } from '../../sessions/tmux/process/launches.ts';
import { endProcesses } from '../../sessions/tmux/process/processGroup.ts';
import { watchDeath } from '../../sessions/tmux/process/watchDeath.ts';
import { type AgentStatus, ENDED_BY_OTHERS } from '../../sessions/tmux/profile/evidence.ts';
import type { Profile, Timings } from '../../sessions/tmux/profile/profile.ts';
import { plain } from '../../sessions/tmux/profile/screen.ts';
import { agentEnvironment } from '../../sessions/tmux/server/agentEnv.ts';
import type { AgentServer } from '../../sessions/tmux/server/agentServer.ts';
import { ask } from '../probe/program.ts';

export interface TrialInput {
  id: AgentProgram;
  profile: Profile;
  backend: BackendConfig & { binaryPath: string };
  server: AgentServer;
  env: Env;
  /** In a sandbox, as this machine can make one. */
  sandbox?: Sandbox;
  /** A git repository; the trial does not change it. */
  cwd: string;
  /** All files of this trial. */
  directory: string;
  signal: AbortSignal;
}

export interface Trial {
  id: AgentProgram;
  /** The command that logs in, from its profile. */
  logIn: string;
  tried: Profile['tried'];
  /** The first line of `--version`; undefined if it printed nothing in time. */
  version?: string;
  outcome: 'ready' | 'asks' | 'ended' | 'late';
  status: AgentStatus;
  /** Since its launch. */
  tookMs: number;
  /** Its last screen without empty rows. */
  screen: string[];
  title: string;
  cwd: string;
  /** Processes that did not end. */
  survivors: number[];
}

/** Some programs show a dialog for a moment and then continue. */
const STANDS_MS = 1500;

/** Starts the program as a run would, without a prompt, waits until its state is known, and ends it. */
export async function tryAgent(input: TrialInput): Promise<Trial> {
  const { id, profile, backend, server, directory, cwd, signal } = input;
  const session: StartInput = {
    sessionId: randomUUID(),
    runId: randomUUID(),
    repoPath: cwd,
    roleId: 'doctor',
    laneId: MAIN,
    backend: id,
    cwd,
    sessionDir: directory,
    permissionMode: 'read',
    ...(input.sandbox && { sandbox: { wish: input.sandbox } }),
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const env = agentEnvironment(input.env, profile, backend.env, session);
  const said = await ask(backend.binaryPath, ['--version'], env);
  const launches = openLaunches(directory);
  const { binaryPath, args } = backend;
  const driver = await server.open();
  let watching: { observer: Observer; stop(): void } | undefined;
  try {
    signal.throwIfAborted();
    const prepareSandbox = (wanted: AgentSandboxInput) => prepareAgentSandbox(wanted, []);
    const facts = { driver, profile, binaryPath, args, env, input: session, launches, ledger: openLedger(directory) };
    const ports = { ...facts, prepareSandbox, parentEnv: input.env };
    const pane = await launchAgent(ports, 'new');
    const settled = settleMs(profile, { binaryPath, env, cwd });
    const launchedAt = launches.now().launchedAt ?? steadyNow();
    const observer = await observe({
      profile,
      startMs: profile.timings.startMs,
      runner: driver,
      pane: pane.pane,
      sessionDir: directory,
      outputDir: outputDirOf(directory),
      env: outsideOf(directory).environment(env),
      leader: pane.pid,
      launchedAt,
      conversationId: () => launches.now().conversationId,
      recordPath: () => undefined,
      // Longer than any trial, so that an error is reported as an error.
      errorRetryMs: 60 * 60_000,
      onHook: () => {},
    });
    const { pid: serverPid } = driver.state.up ? driver.state.identity : await readIdentity(driver);
    const stop = watchDeath(
      { driver, server, pane, serverPid, directory: paneDirOf(directory, pane.launch) },
      (exit) => {
        observer.lookAtHooks();
        observer.noteDeath(exit.reason);
      },
    );
    watching = { observer, stop };
    const outcome = await watch(observer, { ...profile.timings, settleStartMs: await settled }, signal);
    const tookMs = ((outcome === 'ready' && observer.firstReadyAt()) || steadyNow()) - launchedAt;
    const seen = await observer.readScreen().catch(() => undefined);
    const status = observer.status();
    const title = status.signals.find(({ source }) => source === 'title')?.fact ?? '';
    const rows = (seen?.screen.lines ?? []).map((row) => plain(row).trim()).filter((row) => row !== '');
    watching = undefined;
    stop();
    await observer.close();
    const survivors = await endProcesses(directory, launches.now().launched);
    const { logIn, tried } = profile;
    return { id, logIn, tried, version: firstLine(said), outcome, status, tookMs, screen: rows, title, cwd, survivors };
  } finally {
    watching?.stop();
    await watching?.observer.close();
    await endProcesses(directory, launches.now().launched);
  }
}

/** Like `awaitReady`, but it also returns at a question. */
async function watch(observer: Observer, timings: Timings, signal: AbortSignal): Promise<Trial['outcome']> {
  const found = await observer.changes.until<Trial['outcome']>(
    async () => {
      if (observer.status().state === 'DEAD') return { done: 'ended' };
      const silentMs = steadyNow() - (observer.lastOutputAt() ?? 0);
      if (silentMs < timings.stableMs) return { againMs: timings.stableMs - silentMs };
      const { composer } = await observer.readScreen();
      const status = observer.status();
      const isReady = status.state === 'READY' && composer !== undefined && observer.bracketedPaste();
      // Some programs show their input field before they ask a question.
      const settled = steadyNow() - (observer.firstReadyAt() ?? steadyNow());
      if (isReady && settled >= timings.settleStartMs) return { done: 'ready' };
      if (isReady) return { againMs: timings.settleStartMs - settled };
      if (!ENDED_BY_OTHERS.includes(status.state)) return { againMs: observer.changesIn(status) };
      const stands = steadyNow() - status.since;
      return stands >= STANDS_MS ? { done: 'asks' } : { againMs: STANDS_MS - stands };
    },
    { timeoutMs: timings.startMs, signal },
  );
  return found ?? 'late';
}

function firstLine(said: Awaited<ReturnType<typeof ask>>): string | undefined {
  return said?.ok ? said.out.split('\n', 1)[0]?.trim() : undefined;
}
