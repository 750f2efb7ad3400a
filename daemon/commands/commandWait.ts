import { watch } from 'node:fs';
import { type CommandFiles, readExit, readPid } from './commandFiles.ts';
import { capOutput } from './outputCap.ts';
import { readStartTime } from './processIdentity.ts';

/** `fs.watch` on the one directory may miss a change (network file systems, overflow), and a killed wrapper changes no file. */
const BACKSTOP_MS = 1000;

export type Ended = { status: number; endedAt: Date } | 'vanished';

/** True if the wrapper of the pid file is still running. */
export async function isRunning(files: CommandFiles): Promise<boolean> {
  const recorded = await readPid(files);
  return recorded !== undefined && (await readStartTime(recorded.pid)) === recorded.started;
}

/** The end of a command, or `vanished` if its wrapper died without a status. */
export async function readEnd(files: CommandFiles): Promise<Ended | undefined> {
  const exit = await readExit(files);
  if (exit || (await isRunning(files))) return exit;
  // It may have ended between the two reads.
  return (await readExit(files)) ?? 'vanished';
}

/**
 * Waits until the command ends, or until `signal` aborts (then undefined), and cuts its output to the limit. It checks at least
 * once a second.
 */
export async function waitForEnd(
  dir: string,
  files: CommandFiles,
  signal: AbortSignal,
  outputLimit?: number,
): Promise<Ended | undefined> {
  let look: () => void = () => {};
  const watcher = watch(dir, () => look());
  const timer = setInterval(() => look(), BACKSTOP_MS);
  const stop = () => look();
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        look = resolve;
      });
      for (const path of [files.out, files.err]) await capOutput(path, outputLimit);
      const end = await readEnd(files);
      if (end || signal.aborted) return end;
      await changed;
    }
  } finally {
    watcher.close();
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}
