import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLine, type Sequence, spawnArgs } from '../command/command.ts';
import { commandError, TmuxError } from '../command/errors.ts';
import type { Runner, RunOptions } from '../command/runner.ts';
import { type Server, serverArgv, serverEnv } from './server.ts';

export const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * Waits before each retry with a server that is just ending. A child that the server is starting holds its socket open
 * a little longer. Such a child is a hook or the end of a pane. Two tries in a row failed in 3 of 150 runs on a busy
 * machine.
 */
const RETRY_MS = [0, 20, 100, 500];

interface SpawnOptions extends RunOptions {
  /** May start an own server. */
  readonly starting?: boolean;
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One tmux process per sequence: 5 ms each, without a connection. Arguments are limited to 16 KB in total. */
export function spawnRunner(server: Server): Runner & { run(s: Sequence, o?: SpawnOptions): Promise<string[]> } {
  return { run: (sequence, options) => runSpawned(server, sequence, options) };
}

/**
 * Returns the sequence's output. Throws TmuxError: `outcome_unknown` if the server died of it, or if it took too long.
 * An idempotent sequence that met a server just being killed is retried.
 */
export async function runSpawned(server: Server, sequence: Sequence, options: SpawnOptions = {}): Promise<string[]> {
  const waits = options.idempotent ? RETRY_MS : [];
  for (let tries = 0; ; tries += 1) {
    const { status, stdout, stderr } = await runToExit(server, sequence, options);
    if (status === 0) return stdout === '' ? [] : stdout.replace(/\n$/, '').split('\n');
    const refused = commandError(commandLine(sequence), stderr);
    const wait = waits[tries];
    if (wait === undefined || refused.code !== 'outcome_unknown') throw refused;
    await pause(wait);
  }
}

/**
 * Returns how a spawned tmux ended, for commands whose exit status is an answer (a popup's). `timeoutMs: 0` never times
 * out. Throws `not_installed` or `outcome_unknown`.
 */
export function runToExit(server: Server, sequence: Sequence, options: SpawnOptions = {}): Promise<Outcome> {
  const [program, ...where] = serverArgv(server, options.starting) as [string, ...string[]];
  const child = spawn(program, [...where, ...spawnArgs(sequence)], { env: serverEnv(server), stdio: 'pipe' });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // tmux may end before that; its exit status says so.
  child.stdin.on('error', () => {});
  child.stdin.end();

  return new Promise((resolve, reject) => {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    let late = false;
    const timer = timeoutMs === 0 ? undefined : setTimeout(() => (late = child.kill('SIGKILL')), timeoutMs);
    child.on('error', (cause) => {
      clearTimeout(timer);
      reject(new TmuxError('not_installed', `${program} could not be started: ${cause.message}`, { cause }));
    });
    child.on('close', (status) => {
      clearTimeout(timer);
      const command = commandLine(sequence);
      if (late) reject(new TmuxError('outcome_unknown', `tmux did not answer within ${timeoutMs} ms.`, { command }));
      else resolve({ status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}
