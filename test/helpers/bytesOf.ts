import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Everything below a directory: kind, mode and content, and the time of each file. Of a git directory, devflow's own refs and
 * new objects are left out.
 */
export function bytesOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string) => {
    const name = relative(root, path);
    if (/(^|\/)\.git\/(objects|refs\/devflow)(\/|$)/.test(name)) return;
    const facts = lstatSync(path);
    const content = facts.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : facts.isSymbolicLink()
        ? readlinkSync(path)
        : '';
    // A new ref of devflow changes the time of the directory of refs.
    const at = facts.isFile() || name === '' ? facts.mtimeMs : '';
    found[name] = [facts.mode.toString(8), at, content].join(' ');
    if (facts.isDirectory()) for (const each of readdirSync(path)) visit(join(path, each));
  };
  visit(root);
  return found;
}
