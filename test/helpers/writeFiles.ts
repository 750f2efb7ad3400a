import { lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes files and their directories below `dir`, as git does: a link is replaced, and nothing is written behind one.
 * Tests once wrote to /etc/passwd through links of their own.
 *
 * @throws Error when a directory of a name is behind a link out of `root`
 */
export function writeFiles(dir: string, files: Record<string, string>, root = dir): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    const place = realpathSync(dirname(path));
    if (!`${place}/`.startsWith(`${realpathSync(root)}/`)) throw new Error(`${name} is behind a link to ${place}`);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
    writeFileSync(path, text);
  }
}
