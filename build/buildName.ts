import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A hash of the daemon's sources. It distinguishes a new build from an older daemon of the same version. */
export function buildName(root: string): string {
  const hash = createHash('sha256');
  for (const folder of ['daemon', 'schemas', 'tmux']) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
      hash.update(relative(root, path)).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 12);
}
