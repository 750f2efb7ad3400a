import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TmuxError } from '../command/errors.ts';
import type { Server } from '../server/server.ts';
import type { ServerIdentity } from '../server/startServer.ts';
import { startTimeOf, statFields } from './processes.ts';
import { readProc } from './readProc.ts';

/** The process of an own server, as its starter recorded it beside the configuration. */
interface RecordedServer {
  readonly pid: number;
  /** The start time of the process: a later process with its pid has another one. */
  readonly processStart: string;
  readonly socketPath: string;
}

/** A server needs some milliseconds for each. On a busy machine it may need much longer, and its end loses agents. */
const ANSWER_MS = 15_000;
const END_MS = 3000;
const LOOK_MS = 20;

/**
 * A program may remove the socket of an own server that still runs (`rm -rf $TMUX_TMPDIR/tmux-*`). Nobody reaches the
 * server then, and its panes run on. On SIGUSR1 tmux makes the socket again, and nothing is lost. If it does not, the
 * server is ended. Returns whether the server can be reached again. Throws `outcome_unknown` if the server cannot be
 * ended.
 */
export async function reclaimServer(server: Server, answerMs = ANSWER_MS): Promise<boolean> {
  const recorded = readRecord(server);
  if (!recorded || existsSync(recorded.socketPath) || !isRunning(recorded)) return false;
  mkdirSync(dirname(recorded.socketPath), { recursive: true, mode: 0o700 });
  send(recorded, 'SIGUSR1');
  // It may also be one that is just ending, and has removed the socket itself.
  await happens(() => existsSync(recorded.socketPath) || !isRunning(recorded), answerMs);
  if (!isRunning(recorded)) return false;
  if (existsSync(recorded.socketPath)) return true;
  await endServer(recorded);
  return false;
}

/** The facts that name the file in which a server is recorded. */
type OwnServer = Pick<Server, 'owner' | 'configFile'>;

/** The process of an own server that runs without its socket. Changes nothing. */
export function findLostServer(server: OwnServer): number | undefined {
  const recorded = readRecord(server);
  return recorded && !existsSync(recorded.socketPath) && isRunning(recorded) ? recorded.pid : undefined;
}

/**
 * Records an own server that answers. Ends an earlier one with the same socket, because nobody can reach it any more.
 */
export async function recordServer(server: Server, { pid, socketPath }: ServerIdentity): Promise<void> {
  const path = recordPath(server);
  const processStart = startTimeOf(pid);
  if (path === undefined || processStart === undefined) return;
  const before = readRecord(server);
  if (before?.pid === pid && before.processStart === processStart && before.socketPath === socketPath) return;
  if (before && before.pid !== pid && before.socketPath === socketPath && isRunning(before)) await endServer(before);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid, processStart, socketPath } satisfies RecordedServer), { mode: 0o600 });
  renameSync(draft, path);
}

async function endServer(recorded: RecordedServer): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(recorded, signal);
    if (await happens(() => !isRunning(recorded), END_MS)) return;
  }
  throw new TmuxError('outcome_unknown', `The tmux server ${recorded.pid} has lost its socket and does not end.`);
}

/** Only a server of devflow's own has a configuration, and only its process is ever recorded or signalled. */
function recordPath({ owner, configFile }: OwnServer): string | undefined {
  return owner === 'own' && configFile !== undefined ? `${configFile}.server` : undefined;
}

function readRecord(server: OwnServer): RecordedServer | undefined {
  const path = recordPath(server);
  if (path === undefined) return undefined;
  try {
    const { pid, processStart, socketPath } = JSON.parse(readFileSync(path, 'utf8')) as Partial<RecordedServer>;
    if (typeof pid !== 'number' || pid < 2 || !processStart || !socketPath) return undefined;
    return { pid, processStart, socketPath };
  } catch {
    return undefined;
  }
}

/** A process that has ended is a zombie until its parent collects it. */
function isRunning({ pid, processStart }: RecordedServer): boolean {
  const [state = ''] = statFields(readProc(`${pid}/stat`));
  return startTimeOf(pid) === processStart && !/^[ZX]/.test(state);
}

function send({ pid }: RecordedServer, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function happens(isDone: () => boolean, withinMs: number): Promise<boolean> {
  for (let left = withinMs; left > 0; left -= LOOK_MS) {
    if (isDone()) return true;
    await pause(LOOK_MS);
  }
  return isDone();
}
