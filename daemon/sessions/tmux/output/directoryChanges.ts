import { watchDirectory } from '../../../system/watchDirectory.ts';

/** What changed in a directory since it was asked last, for one who looks when it is woken. */
export interface DirectoryChanges {
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

/** Costs nothing while there are no changes. A directory that is taken away is not made again: its reader finds out. */
export async function followChanges(directory: string): Promise<DirectoryChanges> {
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
  const watching = await watchDirectory(
    directory,
    (name, cameOrWent) => {
      if (name === undefined) doubt();
      else unchanged.delete(name);
      if (cameOrWent) created = true;
      wake();
    },
    { make: false },
  );
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
    close: watching.close,
  };
}
