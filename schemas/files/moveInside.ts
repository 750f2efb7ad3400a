import { closeSync, constants, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rawName, rawPath } from './entries.ts';
import { inDirectory } from './insideRoot.ts';
import type { Refused } from './openRegular.ts';

/** Names below a directory that an agent may write to. As in insideRoot.ts, no link below `root` is followed. */

/** Makes a file that must not be there yet: refused with `EEXIST` otherwise. Its directory must exist. */
export function createInside(root: string, relPath: string, text: string, mode = 0o644): { ok: true } | Refused {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  return inDirectory(root, relPath, null, (directory, name) => {
    const fd = openSync(join(directory, name), flags, mode);
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    return { ok: true as const };
  });
}

/** Makes a directory that must not be there yet: refused with `EEXIST` otherwise. Its parent must exist. */
export function makeNewInside(root: string, relPath: string, mode = 0o755): { ok: true } | Refused {
  return inDirectory(root, relPath, null, (directory, name) => {
    mkdirSync(join(directory, name), { mode });
    return { ok: true as const };
  });
}

/** Renames an entry, whatever it is; a link moves as a link. Both directories must exist, and nothing may have the new name. */
export function moveInside(root: string, from: string, to: string): { ok: true } | Refused {
  return inDirectory(root, from, null, (source, name) =>
    inDirectory(root, to, null, (target, newName) => {
      const raw = rawName(source, name);
      const kept = name === newName ? raw : undefined;
      renameSync(rawPath(source, name, raw), rawPath(target, newName, kept));
      return { ok: true as const };
    }),
  );
}

/** Removes an entry with everything below it. A link goes, not its target. */
export function removeInside(root: string, relPath: string): { ok: true } | Refused {
  return inDirectory(root, relPath, null, (directory, name) => {
    rmSync(join(directory, name), { recursive: true });
    return { ok: true as const };
  });
}
