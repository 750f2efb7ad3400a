import { statSync } from 'node:fs';
import { join } from 'node:path';
import { passedSince } from '../../../../schemas/time/steadyTime.ts';
import { type DirectoryWatch, watchDirectory } from '../../../system/watchDirectory.ts';

/** Remembers what changed in a directory since the last question, for a reader that looks when it is woken. */
export interface DirectoryChanges {
  /** Resolves at the next change, at once if there was one since the last `clear`. True if `ms` have passed first. */
  wait(ms?: number): Promise<boolean>;
  clear(): void;
  /** True if files came or went since the last call; true at first. */
  takeCreated(): boolean;
  /** True if that file changed since the last call; true at first. */
  takeChanged(name: string): boolean;
  /** Wakes the waiting reader. */
  wake(): void;
  /** A notification may have been lost: everything counts as changed. */
  doubt(): void;
  /** Switches the notifications off or on. While they are off, `look` finds what has changed. */
  notify(on: boolean): Promise<void>;
  /** Looks at the files that were asked for by `takeChanged`; with `whole`, also whether files came or went. */
  look(whole: boolean): void;
  close(): void;
}

/** The longest clock step of common file systems, 10 ms with a kernel of 100 Hz, with some reserve. */
const CLOCK_STEP_MS = 50;

/** Costs nothing while there are no changes. A removed directory is not created again: its reader notices. */
export async function followChanges(directory: string): Promise<DirectoryChanges> {
  let changed = false;
  let created = true;
  /** Names that were asked for and have not changed since. */
  let unchanged = new Set<string>();
  let waiting: ((isLate: boolean) => void) | undefined;
  /** By `look`: when files last came or went, and the size of each file that was asked for. */
  let sizes = new Map<string, number>();
  let touchedAt: number | undefined;
  const wake = () => {
    changed = true;
    waiting?.(false);
  };
  const doubt = () => {
    created = true;
    unchanged = new Set();
  };
  const onNotice = (name: string | undefined, cameOrWent: boolean) => {
    if (name === undefined) doubt();
    else unchanged.delete(name);
    if (cameOrWent) created = true;
    wake();
  };
  let watching: DirectoryWatch | undefined = await watchDirectory(directory, onNotice, { make: false });
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (changed) return resolve(false);
        // Not timers/promises: this runs for every frame of every spinner, and that would cost ten times as much.
        const timer = ms === undefined ? undefined : setTimeout(() => waiting?.(true), ms).unref();
        waiting = (isLate) => {
          clearTimeout(timer);
          waiting = undefined;
          resolve(isLate);
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
    async notify(on) {
      if (on === (watching !== undefined)) return;
      // Before the new watch, which counts everything as changed again.
      sizes = new Map();
      touchedAt = undefined;
      doubt();
      watching?.close();
      watching = on ? await watchDirectory(directory, onNotice, { make: false }) : undefined;
      if (on) doubt();
    },
    look(whole) {
      const now = whole ? statSync(directory, { throwIfNoEntry: false })?.mtimeMs : touchedAt;
      if (now !== touchedAt) doubt();
      // Another change in the same step of the file system's clock would leave the same time.
      touchedAt = now !== undefined && passedSince(now) < CLOCK_STEP_MS ? undefined : now;
      for (const name of unchanged) {
        const size = statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
        if (size !== sizes.get(name)) unchanged.delete(name);
        sizes.set(name, size);
      }
    },
    close: () => watching?.close(),
  };
}
