import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readRegularText } from '../files/openRegular.ts';
import { orElse } from '../orElse.ts';

/** A keeper's condition for a new start of a daemon, or the reason why it gave up. */
export type KeeperReason = 'database' | 'other daemon' | 'crash' | 'person';

const STATES = ['keeping', 'waiting', 'gave up'] as const;
const REASONS: readonly KeeperReason[] = ['database', 'other daemon', 'crash', 'person'];

/**
 * The record of a home's keeper, for `up`, `down`, `status` and the dashboard. It counts only while no daemon answers:
 * a keeper does not know when its daemon is ready. An agent can write the file, so a reader shows its times and counts,
 * and nothing else of it.
 */
export interface KeeperRecord {
  pid: number;
  by: 'up' | 'service';
  state: (typeof STATES)[number];
  /** Until `devflow up` has seen the first daemon ready. A keeper whose first daemon never was ready ends with it. */
  first?: boolean;
  /** Absent while it keeps its first daemon. */
  reason?: KeeperReason;
  /** Since when no daemon serves. */
  since?: string;
  /** Starts in a row whose daemon did not last. */
  failures: number;
  /** The failures that were crashes. */
  crashes: number;
  /** When it started the last daemon, by `bootSeconds`. */
  startedAt: number;
  /** Since when another daemon leads the database, by `bootSeconds`. */
  heldAt?: number;
  /** Where its daemon listens. Absent in the records of earlier versions. */
  socketPath?: string;
}

/** The names of the two programs that one keeper is in turn. */
export const KEEPER_SCRIPT = 'keeper.sh';
export const KEEPER_PROGRAM = 'keeper.cjs';
const MOST_BYTES = 4096;

/** Seconds since the machine started: the same clock for all processes, which never jumps. */
export function bootSeconds(): number {
  return uptime();
}

/** A keeper that has started a daemon for the first time. */
export function newRecord(pid: number, by: KeeperRecord['by'], socketPath?: string): KeeperRecord {
  return { pid, by, state: 'keeping', failures: 0, crashes: 0, startedAt: bootSeconds(), socketPath };
}

/** A keeper that `up` starts in place of one that waits. It goes on with that wait. */
export function replacingRecord(waited: KeeperRecord, pid: number, socketPath?: string): KeeperRecord {
  const { state, reason, since, failures, crashes, heldAt } = waited;
  return { ...newRecord(pid, 'up', socketPath), state, reason, since, failures, crashes, heldAt };
}

/** Replaces the file as a whole. A keeper works without it, so a full disk is ignored. */
export function writeRecord(file: string, record: KeeperRecord): void {
  const draft = `${file}.${process.pid}`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** Undefined if there is none, or nobody can read it. It may be of a keeper that has ended. */
export function readRecord(file: string): KeeperRecord | undefined {
  try {
    const record = JSON.parse(readRegularText(file, MOST_BYTES) ?? '');
    // Earlier daemons ended without Temporal, and their keepers waited for it.
    if (record?.reason === 'temporal') record.reason = 'crash' satisfies KeeperReason;
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: KeeperRecord | null): value is KeeperRecord {
  if (value === null || typeof value !== 'object') return false;
  const { pid, by, state, reason, since, failures, crashes, startedAt, socketPath } = value;
  if (!Number.isInteger(pid) || pid <= 1 || !['up', 'service'].includes(by) || !STATES.includes(state)) return false;
  if (reason !== undefined && !REASONS.includes(reason)) return false;
  if (since !== undefined && Number.isNaN(Date.parse(since))) return false;
  if (state !== 'keeping' && (reason === undefined || since === undefined)) return false;
  if (socketPath !== undefined && typeof socketPath !== 'string') return false;
  return [failures, crashes, startedAt].every(Number.isFinite);
}

/** The keeper that runs for the home of this file. A process that got the pid of one that ended does not count. */
export function runningKeeper(file: string): KeeperRecord | undefined {
  const record = readRecord(file);
  return record && isKeeper(record.pid, file) ? record : undefined;
}

/** News for a person while no daemon answers: a keeper that waits, or why the last one gave up. */
export function keeperNews(file: string): KeeperRecord | undefined {
  const record = readRecord(file);
  if (record === undefined || record.state === 'keeping') return undefined;
  return record.state === 'gave up' || isKeeper(record.pid, file) ? record : undefined;
}

/** True if this process is the keeper of that file, which it has in its arguments. */
export function isKeeper(pid: number, file: string): boolean {
  return isKeeperOf(commandLineOf(pid), file);
}

/** The record follows the program. A path may hold blanks, and may be another spelling of the same. Exported for its test. */
export function isKeeperOf(commandLine: string, file: string): boolean {
  const words = /\/keeper\.(?:sh|cjs) (.*)$/s.exec(commandLine)?.[1]?.split(' ') ?? [];
  const paths = words.map((_, last) => words.slice(0, last + 1).join(' '));
  return paths.some((path) => basename(path) === basename(file) && isSameFile(path, file));
}

/** Where its daemon listens, if that is not where this program looks. An agent may have written it. */
export function otherSocketOf({ socketPath }: KeeperRecord, looksAt: string): string | undefined {
  return socketPath === undefined || isSameFile(socketPath, looksAt) ? undefined : socketPath;
}

/** Neither file need exist. */
function isSameFile(one: string, other: string): boolean {
  return one === other || realPath(one) === realPath(other);
}

function realPath(path: string): string {
  return orElse(() => join(realpathSync(dirname(path)), basename(path)), path);
}

/** The arguments of a process, with blanks between them; empty for a missing one and for a zombie. */
function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd();
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
