import { basename, dirname, relative } from 'node:path';
import { lookInside, makeInside } from '../../schemas/files/insideRoot.ts';
import { createReportedTimes, type ReportedTimes, steadyNow } from '../../schemas/time/steadyTime.ts';
import type { Clock } from '../system/clock.ts';
import { sleepUntil } from '../system/clock.ts';
import { watchDirectory } from '../system/watchDirectory.ts';

export interface FileWait {
  /** Absolute, below `root`. A missing directory is made, so that it can be watched. */
  path: string;
  /** Below `root` it follows no link. A link counts as the file, and the reader refuses it. */
  root: string;
  /** Absent: wait without a limit. */
  deadline?: Date;
  /** The file must stay unchanged this long. */
  debounceMs: number;
  /** The writer of the file. A file older than a proven end of its writer need not rest any longer. */
  writer?: FileWriter;
  clock: Clock;
  signal: AbortSignal;
}

export interface FileWriter {
  /** The time of its end, by the machine's clock; undefined while it may still write. */
  endedAt(): Promise<number | undefined>;
  /** Calls the listener when that may have changed. Returns how to stop listening. */
  listen(listener: () => void): () => void;
}

/** `rested`: it did not change for the debounce time. `ended`: its writer has ended since the last change. */
export type FileFound = 'rested' | 'ended';

/** After the deadline a file that is being written gets this many more debounce times. */
const EXTRA_DEBOUNCES = 10;

/**
 * Resolves when the file exists and no longer changes, or with undefined at the deadline. A file that exists after the
 * deadline still counts (the daemon may have been down). Rejects if the signal aborts. It watches the directory, and polls
 * only where that is not possible.
 */
export async function waitForFile(wait: FileWait): Promise<FileFound | undefined> {
  const { path, root, deadline, debounceMs, writer, clock, signal } = wait;
  signal.throwIfAborted();
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  let wake: () => void = () => {};
  let unlisten: (() => void) | undefined;
  const onNotice = (name: string | undefined) => {
    if (name === undefined || name === basename(path)) wake();
  };
  const watcher = await watchDirectory(dirname(path), onNotice, {
    make: () => makeInside(root, relative(root, dirname(path))),
  });
  try {
    let expired = false;
    // A file that is being written at the deadline gets some more time. A file that never stops changing does not count.
    let called: number | undefined;
    const times = createReportedTimes();
    const lastCall = () => {
      called ??= steadyNow() + EXTRA_DEBOUNCES * debounceMs;
      return called;
    };
    const timer = untilDeadline(deadline, clock, stop).then(
      () => {
        expired = true;
        wake();
      },
      () => wake(),
    );
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const rest = restMs(root, path, debounceMs, times);
      if (rest === 0) return 'rested';
      if (rest !== undefined && writer) {
        unlisten ??= writer.listen(() => wake());
        if (await hasEnded(writer, root, path)) return 'ended';
      }
      signal.throwIfAborted();
      if (expired && (rest === undefined || steadyNow() > lastCall())) return undefined;
      const pause = rest === undefined ? undefined : setTimeout(() => wake(), rest);
      await changed;
      clearTimeout(pause);
      void timer;
    }
  } finally {
    end.abort();
    unlisten?.();
    watcher.close();
  }
}

/** Resolves at the deadline, or never without one. Rejects if the signal aborts. */
async function untilDeadline(deadline: Date | undefined, clock: Clock, signal: AbortSignal): Promise<void> {
  if (deadline) return sleepUntil(deadline, clock, signal);
  signal.throwIfAborted();
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** True if the file has not changed since its writer ended. A file that was moved here may be older than the move. */
async function hasEnded(writer: FileWriter, root: string, path: string): Promise<boolean> {
  const endedAt = await writer.endedAt();
  const there = lookInside(root, relative(root, path));
  return endedAt !== undefined && there.ok && Math.max(there.facts.mtimeMs, there.facts.ctimeMs) <= endedAt;
}

/** Milliseconds until the file was unchanged long enough; undefined if there is no file. */
function restMs(root: string, path: string, debounceMs: number, times: ReportedTimes): number | undefined {
  const there = lookInside(root, relative(root, path));
  // The file is unreadable. The reader reports the fault.
  if (!there.ok) return there.missing ? undefined : 0;
  // File times use the machine's clock, whatever clock the caller has, and have fractions of a millisecond.
  const age = steadyNow() - times.steady(Math.floor(there.facts.mtimeMs));
  return Math.max(0, debounceMs - age);
}
