import { basename, dirname, relative } from 'node:path';
import { lookInside, makeInside } from '../../../schemas/files/insideRoot.ts';
import type { Clock } from '../../system/clock.ts';
import { sleepUntil } from '../../system/clock.ts';
import { watchDirectory } from '../../system/watchDirectory.ts';

export interface FileWait {
  /** Absolute, below `root`. Its directory is made when missing, so that there is something to watch. */
  path: string;
  /** It follows no link below `root`: a link counts as the file, and the reader refuses it. */
  root: string;
  /** Absent: the file is waited for as long as it takes. */
  deadline?: Date;
  /** How long the file must not have changed. */
  debounceMs: number;
  clock: Clock;
  signal: AbortSignal;
}

/** How many times the rest that a file needs it is waited for when the deadline has passed. */
const RESTS_AFTER_DEADLINE = 10;

/**
 * Resolves true when the file is there and has come to rest, false when the deadline passes first. A file that lies
 * there when the deadline has long passed (the daemon was down) still counts: it is looked for before the clock is.
 * Rejects when the signal aborts. Waits on the file system's own notices; it polls only where there are none to be had.
 */
export async function waitForFile({ path, root, deadline, debounceMs, clock, signal }: FileWait): Promise<boolean> {
  signal.throwIfAborted();
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  let wake: () => void = () => {};
  const onNotice = (name: string | undefined) => {
    if (name === undefined || name === basename(path)) wake();
  };
  const watcher = await watchDirectory(dirname(path), onNotice, {
    make: () => makeInside(root, relative(root, dirname(path))),
  });
  try {
    let expired = false;
    // A file that is being written when the time is up may come to rest; one that never does is none.
    let called: number | undefined;
    const lastCall = () => {
      called ??= Date.now() + RESTS_AFTER_DEADLINE * debounceMs;
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
      const rest = restMs(root, path, debounceMs);
      if (rest === 0) return true;
      signal.throwIfAborted();
      if (expired && (rest === undefined || Date.now() > lastCall())) return false;
      const pause = rest === undefined ? undefined : setTimeout(() => wake(), rest);
      await changed;
      clearTimeout(pause);
      void timer;
    }
  } finally {
    end.abort();
    watcher.close();
  }
}

/** Resolves at the deadline, never without one; rejects when the signal aborts. */
async function untilDeadline(deadline: Date | undefined, clock: Clock, signal: AbortSignal): Promise<void> {
  if (deadline) return sleepUntil(deadline, clock, signal);
  signal.throwIfAborted();
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** Milliseconds until the file has been at rest long enough; undefined when there is none. */
function restMs(root: string, path: string, debounceMs: number): number | undefined {
  const there = lookInside(root, relative(root, path));
  // Something unreadable is there, and the reader reports the fault.
  if (!there.ok) return there.missing ? undefined : 0;
  // File times are the machine's own clock, whatever clock the caller has, but in parts of a millisecond.
  const age = Date.now() - Math.floor(there.facts.mtimeMs);
  return age >= debounceMs || age < 0 ? 0 : Math.ceil(debounceMs - age);
}
