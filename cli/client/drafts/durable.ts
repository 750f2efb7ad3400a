import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory } from '../../../schemas/files/insideRoot.ts';
import type { Refused } from '../../../schemas/files/openRegular.ts';

const PRIVATE = 0o700;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Writes a file whole, so that also a power failure leaves the old or the new one. `isFirst`: refuses with EEXIST if there is
 * one. Follows no link below `root`. Throws if the disk is full or read-only.
 */
export function writeDurable(root: string, relPath: string, text: string, isFirst = false): { ok: true } | Refused {
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
    syncDirectory(directory);
    return { ok: true as const };
  });
}

/** Removes a file; a missing one is removed already. */
export function removeDurable(root: string, relPath: string): { ok: true } | Refused {
  const removed = inDirectory(root, relPath, null, (directory, name) => {
    rmSync(join(directory, name), { force: true });
    syncDirectory(directory);
    return { ok: true as const };
  });
  return removed.ok || !removed.missing ? removed : { ok: true };
}

function syncDirectory(directory: string): void {
  const fd = openSync(directory, DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
