import { watchDirectory } from '../../../system/watchDirectory.ts';

/** Remembers what changed in a directory since the last question, for a reader that looks when it is woken. */
export interface DirectoryChanges {
  /** Resolves at the next change, at once if there was one since the last `clear`, or after `ms`. */
  wait(ms?: number): Promise<void>;
  clear(): void;
  /** Whether files came or went since the last call; true at first. */
  takeCreated(): boolean;
  /** Whether that file changed since the last call; true at first. */
  takeChanged(name: string): boolean;
  /** Wakes the waiting reader. */
  wake(): void;
  /** A notification may have been lost: everything counts as changed. */
  doubt(): void;
  close(): void;
}

/** Costs nothing while there are no changes. A removed directory is not created again: its reader notices. */
export async function followChanges(directory: string): Promise<DirectoryChanges> {
  let changed = false;
  let created = true;
  /** Names that were asked for and have not changed since. */
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
        // Not timers/promises: this runs for every frame of every spinner, and that would cost ten times as much.
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
