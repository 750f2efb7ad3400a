import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { DAEMON_FLAGS } from '../../schemas/keeper/keeperArguments.ts';
import type { Io } from '../io/io.ts';
import { daemonEnvironment, daemonProgram } from './daemonProgram.ts';
import { awaitReady, DAEMON_ARGUMENTS } from './startDaemon.ts';

const PASSED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the daemon as a child that logs to this terminal and ends with it. Returns its exit code. `words`: more arguments. */
export async function runForeground(io: Io, env: Env, words: readonly string[]): Promise<number> {
  const program = [...DAEMON_FLAGS, daemonProgram(), ...DAEMON_ARGUMENTS, '--foreground', ...words];
  const child = spawn(process.execPath, program, {
    env: daemonEnvironment(env),
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const ended = new Promise<number>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  // The terminal sends Ctrl-C to the child, too. Other signals must be passed on.
  const pass = (signal: NodeJS.Signals) => void (signal !== 'SIGINT' && child.kill(signal));
  for (const signal of PASSED) process.on(signal, pass);
  const { ms, pid, socket } = await awaitReady(child, resolvePaths(env).logFile).catch((error: unknown) => {
    // The caller may ask a person now, whom a signal must end.
    for (const signal of PASSED) process.off(signal, pass);
    throw error;
  });
  io.out(`devflow is up: pid ${pid}, socket ${socket}, ready in ${ms} ms. Ctrl-C stops it.\n`);
  return ended;
}
