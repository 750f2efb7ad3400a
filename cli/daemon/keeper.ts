import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { DevflowError } from '../../schemas/errors.ts';
import { type Env, resolvePaths } from '../../schemas/files/paths.ts';
import { readPid, removeSocketOf } from '../../schemas/files/pidFile.ts';
import { adoptingArguments, keeperArguments, SHELL } from '../../schemas/keeper/keeperArguments.ts';
import {
  isKeeper,
  type KeeperRecord,
  keeperNews,
  newRecord,
  otherSocketOf,
  readRecord,
  replacingRecord,
  runningKeeper,
  writeRecord,
} from '../../schemas/keeper/record.ts';
import { keeperHint, keeperSentence } from '../../schemas/keeper/words.ts';
import { isAlive, trySignal } from '../../schemas/process/processes.ts';
import { visible } from '../../schemas/text/visible.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import { keeperPrograms } from './daemonProgram.ts';
import { awaitReady, type OnWaiting, READY, type Ready, spawnDetached } from './startDaemon.ts';

const PATIENCE_MS = 60_000;
const LOOK_MS = 10;
const AGAIN_MS = 1_000;

/** The keeper goes on waiting for the database, so the person need not. */
const AT_ONCE = ['--patience', '0'];

/**
 * Starts a daemon under a keeper, which starts another one if it crashes or loses its database. The keeper of a first start
 * that fails ends, too. After `waited`, the record of a keeper that this one replaces, it goes on waiting. `words`: more
 * arguments for this start only.
 */
export async function startKeptDaemon(
  env: Env,
  { waited, words = [], onWaiting }: { waited?: KeeperRecord; words?: readonly string[]; onWaiting?: OnWaiting } = {},
): Promise<Ready> {
  const { logFile, keeperFile, socketPath } = resolvePaths(env);
  const child = spawnDetached(
    env,
    SHELL,
    keeperArguments(keeperPrograms(env), [...READY, ...(waited ? AT_ONCE : []), ...words]),
  );
  const pid = child.pid ?? 0;
  // From now on `devflow down` must find it, also if this process is interrupted.
  if (waited) writeRecord(keeperFile, replacingRecord(waited, pid, socketPath));
  else if (pid > 0 && !runningKeeper(keeperFile))
    writeRecord(keeperFile, { ...newRecord(pid, 'up', socketPath), first: true });
  try {
    const ready = await awaitReady(child, logFile, onWaiting);
    writeRecord(keeperFile, newRecord(pid, 'up', socketPath));
    return ready;
  } catch (error) {
    if (!waited) {
      if (readRecord(keeperFile)?.pid === pid) rmSync(keeperFile, { force: true });
      throw error;
    }
    if (!waitsAgain(error)) {
      trySignal(pid, 'SIGTERM');
      throw error;
    }
    const { code, message } = error;
    const record = keeperNews(keeperFile) ?? waited;
    const recoveryHint = `${keeperSentence(record)} ${keeperHint(record, logFile)}`;
    throw new DevflowError(code, message, { cause: error, recoveryHint });
  } finally {
    child.unref();
  }
}

/** True if the keeper waits again: the database is away, or a killed daemon still has its lock. */
function waitsAgain(error: unknown): error is DevflowError {
  return error instanceof DevflowError && (error.code === 'db_unreachable' || error.data.isSilent === true);
}

export function hasKeeper(env: Env): boolean {
  return runningKeeper(resolvePaths(env).keeperFile) !== undefined;
}

/** Puts a keeper to a daemon that has none: its keeper was killed, or it was started without one. */
export function keepDaemon(env: Env, daemonPid: number): void {
  const { keeperFile, socketPath } = resolvePaths(env);
  if (runningKeeper(keeperFile)) return;
  const child = spawnDetached(env, SHELL, adoptingArguments(keeperPrograms(env), daemonPid));
  child.stdio[3]?.destroy();
  child.unref();
  if (child.pid !== undefined) writeRecord(keeperFile, newRecord(child.pid, 'up', socketPath));
}

/** Tells the keeper of this home that no daemon shall follow. It ends after its daemon. */
export function stopKeeping(env: Env): void {
  const keeper = runningKeeper(resolvePaths(env).keeperFile);
  if (keeper === undefined) return;
  for (const signal of ['SIGTERM', 'SIGCONT'] as const) trySignal(keeper.pid, signal);
}

/** Ends the keeper of this home, and a daemon that it is just starting. Returns what it was doing; undefined if none ran. */
export async function endKeeper(env: Env): Promise<KeeperRecord | undefined> {
  const { keeperFile, socketPath } = resolvePaths(env);
  const keeper = runningKeeper(keeperFile);
  if (keeper === undefined) return undefined;
  const { pid } = keeper;
  const end = steadyNow() + PATIENCE_MS;
  let again = 0;
  while (isKeeper(pid, keeperFile)) {
    // A keeper that is becoming its other program loses a signal.
    if (steadyNow() >= again) {
      stopKeeping(env);
      again = steadyNow() + AGAIN_MS;
    }
    if (steadyNow() > end) {
      throw new DevflowError(
        'internal',
        `the keeper of the daemon (pid ${pid}) did not end within ${PATIENCE_MS / 1000} s`,
        {
          recoveryHint: 'The daemon that it is starting may hang: read its log.',
          data: { pid },
        },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  // The keeper removes it, unless it ends right after a daemon that crashed.
  const server = readPid(socketPath);
  if (server !== undefined && !isAlive(server)) removeSocketOf(server, socketPath);
  return keeper;
}

/** The error of a command that needs the daemon. While its keeper waits, `data.waits` is true: a daemon comes by itself. */
export function notRunning(env: Env, otherwise: string): DevflowError {
  const { socketPath } = resolvePaths(env);
  const news = readKeeperNews(env);
  if (news === undefined) return new DevflowError('daemon_not_running', otherwise, { data: { socketPath } });
  const data = { socketPath, waits: news.record.state === 'waiting' };
  return new DevflowError('daemon_not_running', news.sentence, { recoveryHint: news.hint, data });
}

/** The state of the keeper, for a person, while no daemon answers. */
export function readKeeperNews(env: Env): { record: KeeperRecord; sentence: string; hint: string } | undefined {
  const { keeperFile, logFile } = resolvePaths(env);
  const other = readOtherSocket(env);
  if (other) return other;
  const record = keeperNews(keeperFile);
  return record && { record, sentence: keeperSentence(record), hint: keeperHint(record, logFile) };
}

/** Throws if the daemon of this home listens where this shell does not look: a second one would end it. */
export function refuseOtherSocket(env: Env): void {
  const other = readOtherSocket(env);
  if (other === undefined) return;
  const { record, sentence, hint } = other;
  throw new DevflowError('state_conflict', sentence, { recoveryHint: hint, data: { pid: record.pid } });
}

function readOtherSocket(env: Env): ReturnType<typeof readKeeperNews> {
  const { keeperFile, socketPath } = resolvePaths(env);
  const record = runningKeeper(keeperFile);
  const other = record && otherSocketOf(record, socketPath);
  if (record === undefined || other === undefined) return undefined;
  return {
    record,
    sentence: `devflow uses the socket ${visible(other)}, and this shell looks for ${socketPath}.`,
    hint: 'Set XDG_RUNTIME_DIR and DEVFLOW_HOME as in the shell that started it, or stop it with devflow down.',
  };
}

/** Removes what a keeper that gave up has left: its record, and its text in the tmux status lines. */
export async function forgetKeeper(env: Env): Promise<void> {
  const { keeperFile } = resolvePaths(env);
  if (keeperNews(keeperFile)?.state !== 'gave up') return;
  rmSync(keeperFile, { force: true });
  const { program, record } = keeperPrograms(env);
  const child = spawn(process.execPath, [program, record, 'forget'], { env, stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
}
