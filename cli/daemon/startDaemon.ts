import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, readSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { requestFault } from '../../schemas/errors/errorRecord.ts';
import { CATALOGUE, DevflowError, type ErrorRecord } from '../../schemas/errors.ts';
import { openLog } from '../../schemas/files/openLog.ts';
import { openRegular } from '../../schemas/files/openRegular.ts';
import { type Env, PASSABLE, resolvePaths } from '../../schemas/files/paths.ts';
import { assertUsablePlaces } from '../../schemas/files/usablePlaces.ts';
import { DAEMON_FLAGS } from '../../schemas/keeper/keeperArguments.ts';
import { daemonEnvironment, daemonProgram } from './daemonProgram.ts';

/** The daemon reports on this descriptor that it is ready, or why it cannot start. */
export const READY = ['--ready-fd', '3'];

/** Only `devflow up` and a keeper migrate the database. */
export const DAEMON_ARGUMENTS = ['--migrate', ...READY];

/** The last line that the daemon writes there. */
export interface Ready {
  ready: true;
  pid: number;
  socket: string;
  ms: number;
}

/** A starting daemon waits for this, at most so long. */
export interface DatabaseWait {
  name: string;
  why: string;
  patienceMs: number;
}
type ReadyMessage = Ready | { waiting: DatabaseWait } | { error: ErrorRecord & { data?: Record<string, unknown> } };

export type OnWaiting = (wait: DatabaseWait) => void;

/** Starts a daemon that outlives this process. Resolves when it is ready, and throws the reason if it does not start. */
export async function startDaemon(env: Env): Promise<Ready> {
  const child = spawnDetached(env, process.execPath, [...DAEMON_FLAGS, daemonProgram(), ...DAEMON_ARGUMENTS]);
  const ready = await awaitReady(child, resolvePaths(env).logFile);
  child.unref();
  return ready;
}

/** Starts a program that outlives this process and writes to the daemon's log. Descriptor 3 is a pipe to this process. */
export function spawnDetached(env: Env, program: string, words: readonly string[]): ChildProcess {
  assertUsablePlaces(env);
  const { logFile, stateDir } = resolvePaths(env);
  makeStateDirectory(dirname(logFile));
  const log = openDaemonLog(logFile);
  try {
    return spawn(program, words, {
      detached: true,
      // Not the current directory: it could not be unmounted while the daemon runs.
      cwd: stateDir,
      env: daemonEnvironment(env),
      stdio: ['ignore', log, log, 'pipe'],
    });
  } finally {
    closeSync(log);
  }
}

function makeStateDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: PASSABLE });
  } catch (cause) {
    const fault = requestFault(cause);
    if (fault?.code !== 'workspace_permissions') throw cause;
    throw new DevflowError(fault.code, fault.message, {
      cause,
      recoveryHint: 'Make it writable for this user, or set DEVFLOW_HOME to a directory of your own.',
    });
  }
}

function openDaemonLog(logFile: string): number {
  try {
    return openLog(logFile);
  } catch (cause) {
    if (requestFault(cause)) throw cause;
    throw new DevflowError('daemon_start_failed', `the daemon log cannot be written: ${(cause as Error).message}`, {
      recoveryHint: 'Move it away, then run devflow up again.',
      cause,
      data: { log: logFile },
    });
  }
}

/** A shell exits this soon after its daemon, unless it is a keeper that continues. */
const EXIT_MS = 2_000;

/** Waits for the last line on descriptor 3. If the daemon ends without one, throws the last line of its log. */
export function awaitReady(child: ChildProcess, logFile: string, onWaiting: OnWaiting = () => {}): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const pipe = child.stdio[3] as Readable;
    let text = '';
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      const lines = `${text}${chunk}`.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(line) as ReadyMessage;
        if ('waiting' in message) onWaiting(message.waiting);
        else {
          pipe.destroy();
          if ('ready' in message) resolve(message);
          else reject(startError(message.error));
        }
      }
    });
    let timer: NodeJS.Timeout | undefined;
    pipe.on('end', () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      timer = setTimeout(() => reject(endedEarly('ended', logFile, { isSilent: true })), EXIT_MS);
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const error = endedEarly(describeExit(code, signal), logFile, { code, signal });
      // Read what is still in the pipe first.
      setImmediate(() => reject(error));
    });
  });
}

function endedEarly(how: string, logFile: string, facts: Record<string, unknown>): DevflowError {
  const last = lastLine(logFile);
  return new DevflowError('daemon_start_failed', `the daemon ${how} before it was ready${last && `: ${last}`}`, {
    recoveryHint: `Read the log: ${logFile}`,
    data: { log: logFile, ...facts },
  });
}

/** A shell between the daemon and this process turns a signal into a code. */
function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  const killer = signal ?? Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return killer === undefined ? `exited with code ${code}` : `was killed by ${killer}`;
}

function startError({ code, message, hint, data }: ErrorRecord & { data?: Record<string, unknown> }): DevflowError {
  return new DevflowError(Object.hasOwn(CATALOGUE, code) ? code : 'daemon_start_failed', message, {
    recoveryHint: hint,
    data,
  });
}

/** The message of the last line. The daemon logs JSON lines; a crash leaves plain ones. */
function lastLine(logFile: string): string {
  try {
    const line = readEnd(logFile).trimEnd().split('\n').at(-1) ?? '';
    try {
      const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
      return err?.message ?? msg ?? line;
    } catch {
      return line.trim();
    }
  } catch {
    return '';
  }
}

/** The last 64 KB, because a log can be long. */
function readEnd(logFile: string): string {
  const opened = openRegular(logFile, { follow: true });
  if (!opened.ok) return '';
  try {
    const { size } = fstatSync(opened.fd);
    const bytes = Buffer.alloc(Math.min(size, 65_536));
    return bytes.toString('utf8', 0, readSync(opened.fd, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(opened.fd);
  }
}
