import { existsSync, fstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { writeInside } from '../../schemas/files/insideRoot.ts';
import { openRegular, readOpened, readRegularText } from '../../schemas/files/openRegular.ts';

/** The files of one command, by which a later daemon finds it. */
export interface CommandFiles {
  /** Common prefix of the others. */
  base: string;
  out: string;
  err: string;
  /** The exit status in decimal. If it exists, the command has ended. */
  exit: string;
  /** `<pid> <start time>` of the wrapper, which leads the process group. */
  pid: string;
  /** The reason why devflow stopped it: `timeout` or `abort`. Written before the first signal. */
  stop: string;
  /** The path of the directory whose name only the command gets. */
  secret: string;
}

/** Enough for a status or a pid. */
const MOST_BYTES = 4096;

export type StopReason = 'timeout' | 'abort';

export function commandFiles(dir: string, commandId: string): CommandFiles {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(commandId)) throw new TypeError(`commandFiles: "${commandId}" is not a file name`);
  const base = join(dir, commandId);
  return {
    base,
    out: `${base}.out`,
    err: `${base}.err`,
    exit: `${base}.exit`,
    pid: `${base}.pid`,
    stop: `${base}.stop`,
    secret: `${base}.secret`,
  };
}

/** The exit status (0 to 255) and its time; undefined if there is none yet. */
export async function readExit(files: CommandFiles): Promise<{ status: number; endedAt: Date } | undefined> {
  const opened = openRegular(files.exit);
  if (!opened.ok) return undefined;
  const endedAt = fstatSync(opened.fd).mtime;
  const read = readOpened(opened, MOST_BYTES);
  return read.ok ? { status: Number.parseInt(read.bytes.toString('latin1'), 10), endedAt } : undefined;
}

export async function readPid(files: CommandFiles): Promise<{ pid: number; started: string } | undefined> {
  const text = readRegularText(files.pid, MOST_BYTES);
  const match = /^(\d+) (.+)$/m.exec(text ?? '');
  return match === null ? undefined : { pid: Number(match[1]), started: match[2]?.trim().replace(/\s+/g, ' ') ?? '' };
}

export async function readStop(files: CommandFiles): Promise<StopReason | undefined> {
  const text = readRegularText(files.stop, MOST_BYTES);
  return text === 'timeout' || text === 'abort' ? text : undefined;
}

/** The directory whose name only the command gets; undefined if it has none. */
export function secretDirectory(dir: string, commandId: string): string | undefined {
  return readRegularText(commandFiles(dir, commandId).secret, MOST_BYTES);
}

/** Writes a file whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const written = writeInside(dirname(path), basename(path), text);
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${path}: ${written.fault}.`);
}

/** True if a daemon started the command, or began to. */
export function wasStarted(dir: string, commandId: string): boolean {
  const { pid, exit, stop } = commandFiles(dir, commandId);
  return [pid, exit, stop].some((path) => existsSync(path));
}

/** True if an abort stopped the command before it ended. */
export async function wasAborted(dir: string, commandId: string): Promise<boolean> {
  return (await readStop(commandFiles(dir, commandId))) === 'abort';
}

/** Forgets an ended command, so that it can run again. The reason of its stop goes last, for a caller that is killed. */
export function forgetCommand(dir: string, commandId: string): void {
  const { pid, exit, stop } = commandFiles(dir, commandId);
  for (const path of [pid, exit, stop]) rmSync(path, { force: true });
}
