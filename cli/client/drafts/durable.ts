import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { firstEntries } from '../../../schemas/files/entries.ts';
import { inDirectory } from '../../../schemas/files/insideRoot.ts';
import type { Refused } from '../../../schemas/files/openRegular.ts';

const PRIVATE = 0o700;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/** A directory that is removed meanwhile is made again this often. */
const MOST_TRIES = 10;
/** A writer that still lives is done by then. */
const OLD_MS = 60 * 60 * 1000;
const MOST_ENTRIES = 10_000;

/**
 * Writes a file whole, so that also a power failure leaves the old or the new one. `isFirst`: refuses with EEXIST if there is
 * one. Follows no link below `root`. Throws if the disk is full or read-only.
 */
export function writeDurable(root: string, relPath: string, text: string, isFirst = false): { ok: true } | Refused {
  for (let left = MOST_TRIES; ; left -= 1) {
    const written = writeOnce(root, relPath, text, isFirst);
    if (written.ok || !written.missing || left <= 1) return written;
  }
}

function writeOnce(root: string, relPath: string, text: string, isFirst: boolean): { ok: true } | Refused {
  return inDirectory(root, relPath, PRIVATE, (directory, name) => {
    const draft = join(directory, `.${randomUUID()}.tmp`);
    try {
      const fd = openSync(draft, NEW, 0o600);
      try {
        writeFileSync(fd, text);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      if (isFirst) linkSync(draft, join(directory, name));
      else renameSync(draft, join(directory, name));
    } finally {
      rmSync(draft, { force: true });
    }
    sweep(directory);
    syncDirectory(directory);
    return { ok: true as const };
  });
}

/** Removes a file; a missing one is removed already. */
export function removeDurable(root: string, relPath: string): { ok: true } | Refused {
  const removed = inDirectory(root, relPath, null, (directory, name) => {
    rmSync(join(directory, name), { force: true });
    sweep(directory);
    syncDirectory(directory);
    return { ok: true as const };
  });
  return removed.ok || !removed.missing ? removed : { ok: true };
}

/** Removes these directories, the innermost first, until one is not empty. */
export function removeEmpty(root: string, relPaths: readonly string[]): void {
  for (const relPath of relPaths) {
    const removed = inDirectory(root, relPath, null, (directory, name) => {
      rmdirSync(join(directory, name));
      syncDirectory(directory);
      return { ok: true as const };
    });
    if (!removed.ok) return;
  }
}

/** Removes what writers that were killed have left. Else it would be there for good, and no directory ever empty. */
function sweep(directory: string): void {
  try {
    const left = firstEntries(directory, MOST_ENTRIES).filter((each) => each.isFile() && isDraft(each.name));
    for (const { name } of left) {
      const path = join(directory, name);
      if (lstatSync(path).mtimeMs < Date.now() - OLD_MS) rmSync(path, { force: true });
    }
  } catch {
    // Another client sweeps too. The next change tries again.
  }
}

const isDraft = (name: string) => /^\.[0-9a-f-]{36}\.tmp$/.test(name);

function syncDirectory(directory: string): void {
  const fd = openSync(directory, DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
