import { type FSWatcher, mkdirSync, statSync, watch } from 'node:fs';
import { basename } from 'node:path';

export interface DirectoryWatch {
  close(): void;
}

/** It polls at this interval while the system refuses a watch. It polls in no other case. */
const LOOK_MS = 3_000;

/** Without a `name`, anything may have changed. `cameOrWent` is false when only a file's content changed. */
export type OnNotice = (name: string | undefined, cameOrWent: boolean) => void;

export interface WatchOptions {
  /** true creates a missing directory, false waits for it, a function creates it. Default true. */
  make?: boolean | (() => void);
  open?: typeof watch;
  lookMs?: number;
  /** Gets the reason when it cannot watch. Then it does not poll: the watch is over. */
  onRefused?(error: NodeJS.ErrnoException): void;
}

/**
 * Calls `onNotice` at every change in one directory until closed. It uses `fs.watch`, one watch for one directory that
 * devflow itself made. Chokidar would read the directory at each start. If the directory is removed or replaced, it
 * watches the new one. It then calls `onNotice`, because changes in between were not seen. A watch can fail (no more
 * inotify watches, a file in its place). It then calls `onNotice` every few seconds, or `onRefused` once. Rejects if it
 * should create the directory and cannot.
 */
export async function watchDirectory(
  directory: string,
  onNotice: OnNotice,
  { make = true, open = watch, lookMs = LOOK_MS, onRefused }: WatchOptions = {},
): Promise<DirectoryWatch> {
  let watcher: FSWatcher | undefined;
  let watched = '';
  let timer: NodeJS.Timeout | undefined;
  let reopening = false;
  let closed = false;

  function ensure(): void {
    if (typeof make === 'function') make();
    else if (make) mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  function listen(identity: string): void {
    watched = identity;
    watcher = open(directory, (event, name) => {
      onNotice(name ?? undefined, event === 'rename');
      // The system reports the directory itself by its own name. A replaced directory shows in no other way.
      if (event === 'rename' && (name === null || name === basename(directory))) void check();
    });
    watcher.on('error', () => void reopen());
  }

  /** The watched directory may be gone or replaced. */
  async function check(): Promise<void> {
    if (identityOf(directory) !== watched) await reopen();
  }

  async function reopen(): Promise<void> {
    if (reopening || closed) return;
    reopening = true;
    watcher?.close();
    watcher = undefined;
    try {
      // Synchronous, so that nothing in this process runs in between.
      ensure();
      listen(identityOf(directory));
    } catch (error) {
      if (onRefused) onRefused(error as NodeJS.ErrnoException);
      else if (!closed) timer = setTimeout(() => void reopen(), lookMs);
    }
    reopening = false;
    if (!closed) onNotice(undefined, true);
    // The directory may have been replaced between stat and watch.
    if (watcher) await check();
  }

  ensure();
  await reopen();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** A new directory may reuse the inode number, but not the birth time. */
function identityOf(path: string): string {
  try {
    const facts = statSync(path, { bigint: true });
    return `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`;
  } catch {
    return '';
  }
}
