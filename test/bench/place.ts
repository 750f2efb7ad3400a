import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '../../cli/client/connect.ts';
import { removeOutside } from '../../schemas/embeddedServer/clusterHomes.ts';
import { type Env, type Paths, resolvePaths } from '../../schemas/files/paths.ts';
import { endAtSignal } from './endings.ts';
import { endMarked, MARK } from './processes.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const CLI = join(ROOT, 'dist', 'cli.cjs');

/** The benchmark's own devflow: its home, and the built programs on the Node that runs the benchmark. */
export interface Place {
  home: string;
  env: Env;
  paths: Paths;
  /** Runs `devflow …`. Returns the milliseconds until it ended and its output. Throws if it fails. */
  devflow(...args: string[]): Promise<{ ms: number; stdout: string }>;
  connect(): Promise<Client>;
}

/** Lends such a place. Afterwards it always stops the daemon, ends the agents and removes the files. */
export async function withPlace<T>(
  use: (place: Place) => Promise<T>,
  variables: Env | ((home: string) => Env) = {},
): Promise<T> {
  const home = makeDirectory();
  const more = typeof variables === 'function' ? variables(home) : variables;
  const env = { ...withoutDevflow(process.env), NO_COLOR: '1', DEVFLOW_HOME: home, [MARK]: home, ...more };
  const paths = resolvePaths(env);
  const devflow: Place['devflow'] = (...args) => runProgram([CLI, ...args], env);
  const end = async () => {
    await devflow('down').catch(() => {});
    await endMarked(home);
    removeOutside(paths.postgresData);
    rmSync(home, { recursive: true, force: true });
  };
  const ended = endAtSignal(end);
  try {
    return await use({ home, env, paths, devflow, connect: () => connect(paths.socketPath) });
  } finally {
    await end();
    ended();
  }
}

/** A directory that the server's user can also enter, in case this is root. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-bench-'));
  chmodSync(directory, 0o711);
  return directory;
}

/** Runs this Node with the arguments. Measures from before the start until the end is noticed. */
export function runProgram(args: readonly string[], env: Env = process.env): Promise<{ ms: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    let ms = 0;
    child.on('exit', () => (ms = performance.now() - begun));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ ms, stdout });
      else reject(new Error(`node ${args.join(' ')} ended with ${code}: ${stderr.trim()}`));
    });
  });
}

/** The benchmark must not see the settings or the daemon of the person who runs it. */
function withoutDevflow(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('DEVFLOW_')));
}
