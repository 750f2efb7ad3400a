import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, inject, onTestFinished } from 'vitest';
import { type Client, connect } from '../../cli/client/connect.ts';
import { loadConfig } from '../../schemas/config/configLoad.ts';
import { removeOutside } from '../../schemas/embeddedServer/clusterHomes.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import type { MethodName, RpcParams, RpcResult } from '../../schemas/rpc/methods/index.ts';
import { copiedDatabase, embeddedDatabase, privateDatabase } from './daemonDatabase.ts';
import type {} from './globalBuild.ts';
import type { TestTemporal } from './globalTemporal.ts';
import { findLeaks, processesOf } from './leaks.ts';
import { endWorkflows } from './temporalWorkflows.ts';
import { isolatedEnv, makeRepo, type TestRepo } from './testRepo.ts';
import { CONNECTIONS, processorTicks, whatItWaitsFor } from './whatItWaitsFor.ts';

export interface DaemonOptions {
  /**
   * `external` (default): a database on the tests' server, ready at once. `embedded`: its own Postgres, which a test may kill;
   * on Temporal the daemon does not start it.
   */
  database?: 'external' | 'embedded';
  /** More variables for every start. They override the short times of the tests. */
  env?: Record<string, string>;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface TestDaemon {
  /** The directory of everything of this daemon, removed after the test. */
  root: string;
  workspaceRoot: string;
  socketPath: string;
  /** The environment of the daemon and the CLI. */
  env: Record<string, string>;
  pid(): number;
  /** The end of the process that was started last. */
  exited(): Promise<Exit>;
  /** Starts a daemon. Rejects with its output if it cannot start. `env` holds only for this start. */
  start(env?: Record<string, string>): Promise<void>;
  /** Resolves once a daemon is ready. */
  up(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** `devflow up`. The daemon is then no child of the test, and `devflow down` ends it after the test. */
  upByCommand(args?: string[]): Promise<CliResult>;
  /** Starts its own Postgres again after the test killed it, unless the daemon does that. */
  startDatabase(): Promise<void>;
  /** Stops it gracefully by SIGTERM. */
  stop(): Promise<Exit>;
  /** At the end of the test, once the daemon has stopped: a running daemon starts again what the test ends. */
  afterStop(end: () => unknown): void;
  restart(env?: Record<string, string>): Promise<void>;
  client(): Promise<Client>;
  /** One call on a separate connection. */
  call<N extends MethodName>(method: N, params: RpcParams<N>): Promise<RpcResult<N>>;
  /** Repeats the call until a daemon answers, because a crash may swallow it. */
  ask<N extends MethodName>(method: N, params: RpcParams<N>): Promise<RpcResult<N>>;
  repo(): TestRepo;
  /** The built `bin/devflow`. */
  cliProgram: string;
  /** Runs it. */
  cli(args: string[], options?: { input?: string; cwd?: string }): Promise<CliResult>;
  /** Runs a statement on its database without the daemon. */
  query(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

const QUICK = {
  DEVFLOW_ARTIFACT_DEBOUNCE_MS: '5',
  DEVFLOW_FAKE_DELAY_MS: '1',
  DEVFLOW_LOG_LEVEL: 'debug',
};

/** An answer or an end that takes longer comes never. */
const END_MS = 40_000;

/** A real daemon in its own DEVFLOW_HOME, stopped after the test. The test fails if anything is left. */
export async function startDaemon(options: DaemonOptions = {}): Promise<TestDaemon> {
  const daemon = await makeDaemon(options);
  await daemon.start();
  return daemon;
}

/** The same, not yet started. */
export async function makeDaemon(options: DaemonOptions = {}): Promise<TestDaemon> {
  const { daemon, end } = await prepareDaemon(options);
  onTestFinished(({ task }) => end(task.result?.state === 'fail'));
  return daemon;
}

/**
 * One daemon for all tests of a file or `describe`: a start takes longer than most runs. Each test must end its runs.
 * `DEVFLOW_TEST_KEEP` does not keep it.
 */
export function shareDaemon(options: DaemonOptions = {}): () => TestDaemon {
  let shared: TestDaemon | undefined;
  beforeAll(async () => {
    const { daemon, end } = await prepareDaemon(options);
    shared = daemon;
    await daemon.start();
    return () => end(false);
  });
  return () => {
    if (!shared) throw new Error('the shared daemon starts before the first test: ask for it inside a test');
    return shared;
  };
}

interface PreparedDaemon {
  daemon: TestDaemon;
  /** Stops it and removes everything. Rejects if anything is left. */
  end(hasFailed: boolean): Promise<void>;
}

async function prepareDaemon({ database = 'external', env: more }: DaemonOptions): Promise<PreparedDaemon> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-e2e-')));
  // As root, the database server runs as another user, who must be able to enter.
  chmodSync(root, 0o711);
  const home = join(root, 'devflow');
  const temporal = temporalOfTests();
  const given: Record<string, string> = {
    ...isolatedEnv(join(root, 'home')),
    ...QUICK,
    ...(temporal && engineVariables(temporal)),
    DEVFLOW_HOME: home,
    DEVFLOW_INTERNAL_CACHE: join(inject('built'), 'cache'),
  };
  const paths = resolvePaths({ ...given, ...more });
  const ownDatabase = () => (temporal ? privateDatabase(paths) : embeddedDatabase());
  const data = await (database === 'external' ? copiedDatabase() : ownDatabase());
  const env: Record<string, string> = { ...given, ...data.env, ...more };
  const workspaceRoot = env.DEVFLOW_WORKSPACE_ROOT ?? join(paths.dataDir, 'workspaces');
  const cliProgram = join(inject('built'), 'bin', 'devflow');
  const repos: TestRepo[] = [];
  const clients = new Set<Client>();
  const endings: (() => unknown)[] = [];
  let child: ChildProcess | undefined;
  let exit: Promise<Exit> | undefined;
  let ready = deferred();
  let isDetached = false;

  async function start(once: Record<string, string> = {}): Promise<void> {
    if (child) throw new Error('the daemon runs already');
    const program = join(inject('built'), 'dist', 'daemon.cjs');
    const process_ = spawn(process.execPath, [program, '--migrate', '--ready-fd', '3'], {
      cwd: root,
      env: { ...env, ...once },
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    child = process_;
    exit = new Promise<Exit>((resolve) => {
      process_.once('exit', (code, signal) => {
        child = undefined;
        // Whoever waits for a daemon that died before it was ready waits for the next one.
        if (ready.isResolved()) ready = deferred();
        resolve({ code, signal });
      });
    });
    const line = await lastLine(process_.stdio[3] as Readable);
    if (line === '') {
      const early = await exit;
      throw Object.assign(new Error(`the daemon ended before it was ready: ${JSON.stringify(early)}`), early);
    }
    const greeting = JSON.parse(line);
    if (greeting.error) {
      await exit;
      throw Object.assign(new Error(greeting.error.message), greeting.error);
    }
    ready.resolve();
  }

  async function kill(signal: NodeJS.Signals): Promise<Exit> {
    if (!child || !exit) throw new Error('no daemon runs');
    child.kill(signal);
    return exit;
  }

  async function client(): Promise<Client> {
    const made = await connect(paths.socketPath);
    clients.add(made);
    void made.closed.then(() => clients.delete(made));
    return made;
  }

  const daemon: TestDaemon = {
    cliProgram,
    root,
    workspaceRoot,
    socketPath: paths.socketPath,
    env,
    pid: () => child?.pid ?? 0,
    exited: () => exit ?? Promise.reject(new Error('no daemon was started')),
    start,
    up: () => ready.promise,
    kill,
    async upByCommand(args = []) {
      const result = await daemon.cli(['up', ...args]);
      isDetached = true;
      ready.resolve();
      return result;
    },
    startDatabase: data.start,
    stop: () => kill('SIGTERM'),
    afterStop: (ending) => void endings.push(ending),
    async restart(once) {
      if (child) await kill('SIGTERM');
      await daemon.start(once);
    },
    client,
    async call(method, params) {
      const one = await client();
      try {
        return await (one.call as (name: string, params: unknown) => Promise<never>)(method, params);
      } finally {
        one.close();
      }
    },
    async ask(method, params) {
      for (;;) {
        await ready.promise;
        try {
          return await daemon.call(method, params);
        } catch (error) {
          if (!['daemon_not_running', 'shutting_down'].includes((error as { code?: string }).code ?? '')) throw error;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    },
    repo() {
      const repo = makeRepo(join(root, 'repos', String(repos.length + 1)), env);
      repos.push(repo);
      return repo;
    },
    async cli(args, { input, cwd = root } = {}) {
      const run = spawn(cliProgram, args, {
        cwd,
        env: { ...env, NO_COLOR: '1' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      run.stdin.end(input ?? '');
      const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
      const [stdout, stderr, code] = await Promise.all([text(run.stdout), text(run.stderr), ended]);
      return { code, stdout, stderr };
    },
    async query(statement, values = []) {
      if (!data.withClient) throw new Error('only with an external database');
      return data.withClient(async (one) => (await one.query(statement, values)).rows);
    },
  };

  const end = async (hasFailed: boolean) => {
    for (const each of clients) each.close();
    if (isDetached && !child) await daemon.cli(['down']);
    const leaks: string[] = [];
    if (child) {
      const ticks = processorTicks(daemon.pid());
      const whatItDoes = () => {
        const { logFile } = paths;
        return whatItWaitsFor(daemon.pid(), ticks, { logFile, readConnections: () => daemon.query(CONNECTIONS) });
      };
      const orphans = await within(
        END_MS,
        daemon.call('daemon.doctor', { strict: false, listOrphans: true }).catch(() => []),
      );
      if (!orphans) leaks.push(`the daemon does not answer; ${await whatItDoes()}`);
      leaks.push(...(orphans ?? []).map(({ detail }) => `orphaned run directory ${detail}`));
      const exit = await within(END_MS, daemon.stop());
      if (!exit) leaks.push(`the daemon did not stop; ${await whatItDoes()}`);
      else if (exit.code !== 0) leaks.push(`the daemon did not stop in order: ${JSON.stringify(exit)}`);
    }
    for (const ending of endings) await ending();
    if (temporal) {
      // `devflow down` has ended what it takes for its own.
      await data.start();
      await data.withClient?.((one) => endWorkflows(temporal, one));
    }
    await data.stop();
    const isKept = hasFailed && existsSync(paths.logFile) && Boolean(process.env.DEVFLOW_TEST_KEEP);
    if (!isKept) removeOutside(paths.postgresData);
    // Where tmux puts a socket by default.
    const tmuxSocket = join('/tmp', `tmux-${process.getuid?.() ?? 0}`, loadConfig(env).tmux.socketName);
    leaks.push(...(await findLeaks({ root, sockets: [paths.socketPath, tmuxSocket], workspaceRoot, repos })));
    for (const { pid } of processesOf(root)) process.kill(pid, 'SIGKILL');
    await data.drop();
    if (isKept) {
      console.error(`kept: ${root}`);
    } else {
      if (!paths.runtimeDir.startsWith(root)) rmSync(paths.runtimeDir, { recursive: true, force: true });
      rmSync(root, { recursive: true, force: true });
    }
    if (leaks.length > 0) throw new Error(`left behind:\n${leaks.join('\n')}`);
  };
  for (const dir of [home, paths.dataDir]) {
    mkdirSync(dir, { recursive: true });
    chmodSync(dir, 0o711);
  }
  const { packages } = inject('temporal') ?? {};
  if (packages) symlinkSync(packages, paths.temporalPackages);
  return { daemon, end };
}

/** Undefined if it takes longer. */
function within<T>(ms: number, result: Promise<T>): Promise<T | undefined> {
  return Promise.race([result, pause(ms, undefined, { ref: false })]);
}

/** `DEVFLOW_TEST_ENGINE=temporal` runs the same tests on the other engine. */
function temporalOfTests(): TestTemporal | undefined {
  if (process.env.DEVFLOW_TEST_ENGINE !== 'temporal') return undefined;
  const temporal = inject('temporal');
  if (!temporal) throw new Error('DEVFLOW_TEST_ENGINE=temporal needs npm run test:temporal');
  return temporal;
}

function engineVariables({ address, namespace }: TestTemporal): Record<string, string> {
  return {
    DEVFLOW_ENGINE: 'temporal',
    DEVFLOW_TEMPORAL_ADDRESS: address,
    DEVFLOW_TEMPORAL_NAMESPACE: namespace,
  };
}

function deferred(): { promise: Promise<void>; resolve(): void; isResolved(): boolean } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isResolved = false;
  const once = () => {
    isResolved = true;
    resolve();
  };
  return { promise, resolve: once, isResolved: () => isResolved };
}

/** That it is ready or why it is not, after those about a wait for its database; empty if it ended before. */
async function lastLine(pipe: Readable): Promise<string> {
  for await (const line of createInterface(pipe)) if (!('waiting' in JSON.parse(line))) return line;
  return '';
}
