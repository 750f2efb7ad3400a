import { watch } from 'node:fs';

export interface DirectoryWatch {
  /** Resolves at the next change, or at once when there was one since the last `clear`; or after so long. */
  wait(ms?: number): Promise<void>;
  clear(): void;
  /** Whether files came or went since the last call; true at the first. */
  takeCreated(): boolean;
  /** Whether that file changed since the last call; true at the first. */
  takeChanged(name: string): boolean;
  /** Wakes the waiting one. */
  wake(): void;
  /** A notification may have been lost: all counts as changed. */
  doubt(): void;
  close(): void;
}

/** Tells of changes in a directory by the system's own notifications; costs nothing while there are none. */
export function watchDirectory(directory: string): DirectoryWatch {
  let changed = false;
  let created = true;
  /** Names that were asked for and did not change since. */
  let unchanged = new Set<string>();
  let waiting: (() => void) | undefined;
  const wake = () => {
    changed = true;
    waiting?.();
  };
  const doubt = () => {
    created = true;
    unchanged = new Set();
  };
  const watcher = watch(directory, (event, name) => {
    if (name === null) doubt();
    else unchanged.delete(name);
    if (event === 'rename') created = true;
    wake();
  });
  // The directory is gone, or the system has no more watches: the reader finds out by looking.
  watcher.on('error', () => {
    doubt();
    wake();
  });
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (changed) return resolve();
        // By hand: it runs for every frame of every spinner, and timers/promises with a signal costs ten times as much.
        const timer = ms === undefined ? undefined : setTimeout(() => waiting?.(), ms).unref();
        waiting = () => {
          clearTimeout(timer);
          waiting = undefined;
          resolve();
        };
      }),
    clear() {
      changed = false;
    },
    takeCreated() {
      const was = created;
      created = false;
      return was;
    },
    takeChanged(name) {
      const was = !unchanged.has(name);
      unchanged.add(name);
      return was;
    },
    wake,
    doubt,
    close: () => watcher.close(),
  };
}
