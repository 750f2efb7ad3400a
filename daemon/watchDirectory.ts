import { type FSWatcher, mkdirSync, statSync, watch } from 'node:fs';
import { basename } from 'node:path';

export interface DirectoryWatch {
  close(): void;
}

/** While the system gives no watch, the directory is looked at this often. It is the only case in which it is polled. */
const LOOK_MS = 3_000;

/** `name` is of what changed; without one, anything may have. `cameOrWent` is false where a file only changed. */
export type OnNotice = (name: string | undefined, cameOrWent: boolean) => void;

export interface WatchOptions {
  /** Whether it makes a missing directory or waits for it, or a function that makes it. Default true. */
  make?: boolean | (() => void);
  open?: typeof watch;
  lookMs?: number;
}

/**
 * Calls `onNotice` at every change in a directory until closed, by the system's own notices. A directory that is taken
 * away or replaced is watched anew; after each such turn `onNotice` is called, for nobody saw what went on in between.
 * Where that fails (no more inotify watches, a file in its place) `onNotice` is called every few seconds.
 * Rejects when the directory is to be made and cannot be at first.
 */
export async function watchDirectory(
  directory: string,
  onNotice: OnNotice,
  { make = true, open = watch, lookMs = LOOK_MS }: WatchOptions = {},
): Promise<DirectoryWatch> {
  let watcher: FSWatcher | undefined;
  let watched = '';
  let timer: NodeJS.Timeout | undefined;
  let turning = false;
  let closed = false;

  function ensure(): void {
    if (typeof make === 'function') make();
    else if (make) mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  function listen(identity: string): void {
    watched = identity;
    watcher = open(directory, (event, name) => {
      onNotice(name ?? undefined, event === 'rename');
      // The system tells of the directory itself under its own name, and of a replaced one in no other way.
      if (event === 'rename' && (name === null || name === basename(directory))) void check();
    });
    watcher.on('error', () => void turn());
  }

  /** The one that is watched may have gone, and perhaps another one is there. */
  async function check(): Promise<void> {
    if (identityOf(directory) !== watched) await turn();
  }

  async function turn(): Promise<void> {
    if (turning || closed) return;
    turning = true;
    watcher?.close();
    watcher = undefined;
    try {
      // Synchronously, so that no other code of this process runs in between.
      ensure();
      listen(identityOf(directory));
    } catch {
      if (!closed) timer = setTimeout(() => void turn(), lookMs);
    }
    turning = false;
    if (!closed) onNotice(undefined, true);
    // It may have been replaced between the look and the watch, when nobody told.
    if (watcher) await check();
  }

  ensure();
  await turn();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** A new directory may get the number of the old one, but not its birth time. */
function identityOf(path: string): string {
  try {
    const facts = statSync(path, { bigint: true });
    return `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`;
  } catch {
    return '';
  }
}
