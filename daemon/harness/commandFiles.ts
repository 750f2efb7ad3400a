import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files by which one command is found again, whoever started it. */
export interface CommandFiles {
  /** Common prefix of the others. */
  base: string;
  out: string;
  err: string;
  /** The exit status in decimal; its presence means the command has ended. */
  exit: string;
  /** `<pid> <start time>` of the wrapper, which leads the process group. */
  pid: string;
  /** Why devflow stopped it: `timeout` or `abort`; written before the first signal. */
  stop: string;
}

export type StopReason = 'timeout' | 'abort';

export function commandFiles(dir: string, commandId: string): CommandFiles {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(commandId)) throw new TypeError(`commandFiles: "${commandId}" is no file name`);
  const base = join(dir, commandId);
  return {
    base,
    out: `${base}.out`,
    err: `${base}.err`,
    exit: `${base}.exit`,
    pid: `${base}.pid`,
    stop: `${base}.stop`,
  };
}

/** The exit status (0 to 255) and when it was written; undefined while there is none. */
export async function readExit(files: CommandFiles): Promise<{ status: number; endedAt: Date } | undefined> {
  const text = await readFile(files.exit, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return { status: Number.parseInt(text, 10), endedAt: (await stat(files.exit)).mtime };
}

export async function readPid(files: CommandFiles): Promise<{ pid: number; started: string } | undefined> {
  const text = await readFile(files.pid, 'utf8').catch(() => undefined);
  const match = /^(\d+) (.+)$/m.exec(text ?? '');
  return match === null ? undefined : { pid: Number(match[1]), started: match[2]?.trim().replace(/\s+/g, ' ') ?? '' };
}

export async function readStop(files: CommandFiles): Promise<StopReason | undefined> {
  const text = await readFile(files.stop, 'utf8').catch(() => undefined);
  return text === 'timeout' || text === 'abort' ? text : undefined;
}

/** Writes a file whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp`, text);
  await rename(`${path}.tmp`, path);
}
