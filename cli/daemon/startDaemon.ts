import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { CATALOGUE, DevflowError, type ErrorRecord } from '../../schemas/errors.ts';
import { openLog } from '../../schemas/files/openLog.ts';
import { openRegular } from '../../schemas/files/openRegular.ts';
import { type Env, PASSABLE, resolvePaths } from '../../schemas/files/paths.ts';
import { assertUsablePlaces } from '../../schemas/files/usablePlaces.ts';
import { daemonEnvironment, daemonProgram } from './daemonProgram.ts';

/** Only a start from here may migrate; the daemon says on descriptor 3 when it is ready, or why it is not. */
export const DAEMON_ARGUMENTS = ['--migrate', '--ready-fd', '3'];

/** What the daemon writes there, once, as one line. */
export interface Ready {
  ready: true;
  pid: number;
  socket: string;
  ms: number;
}
type Greeting = Ready | { error: ErrorRecord & { data?: Record<string, unknown> } };

/** Starts the daemon for itself: it outlives this process. Resolves when it is ready; throws what it says else. */
export async function startDaemon(env: Env): Promise<Ready> {
  assertUsablePlaces(env);
  const { logFile, stateDir } = resolvePaths(env);
  mkdirSync(dirname(logFile), { recursive: true, mode: PASSABLE });
  const log = openDaemonLog(logFile);
  try {
    const child = spawn(process.execPath, [daemonProgram(), ...DAEMON_ARGUMENTS], {
      detached: true,
      // Not where the user is: that directory could never be unmounted or removed.
      cwd: stateDir,
      // The daemon is not an agent, even if an agent starts it.
      env: daemonEnvironment(env),
      stdio: ['ignore', log, log, 'pipe'],
    });
    const ready = await greeting(child, logFile);
    child.unref();
    return ready;
  } finally {
    closeSync(log);
  }
}

function openDaemonLog(logFile: string): number {
  try {
    return openLog(logFile);
  } catch (cause) {
    throw new DevflowError('daemon_start_failed', `the log cannot be written: ${(cause as Error).message}`, {
      recoveryHint: 'Move it away, then run devflow up again.',
      cause,
      data: { log: logFile },
    });
  }
}

/** The line on descriptor 3; a daemon that ends without one is told of by the last line of its log. */
export function greeting(child: ChildProcess, logFile: string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const pipe = child.stdio[3] as Readable;
    let text = '';
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      pipe.destroy();
      try {
        resolve(readGreeting(text.slice(0, end)));
      } catch (error) {
        reject(error);
      }
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      const last = lastLine(logFile);
      // What is in the pipe is read first.
      setImmediate(() =>
        reject(
          new DevflowError('daemon_start_failed', `the daemon ${how} before it was ready${last && `: ${last}`}`, {
            recoveryHint: `See the log: ${logFile}`,
            data: { log: logFile, code, signal },
          }),
        ),
      );
    });
  });
}

function readGreeting(line: string): Ready {
  const message = JSON.parse(line) as Greeting;
  if ('ready' in message) return message;
  const { code, message: sentence, hint, data } = message.error;
  throw new DevflowError(Object.hasOwn(CATALOGUE, code) ? code : 'daemon_start_failed', sentence, {
    recoveryHint: hint,
    data,
  });
}

/** The message of the last line: the log has JSON lines, a crash leaves plain ones. */
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
