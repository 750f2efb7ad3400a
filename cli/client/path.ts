import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** A whole path, of one as a person writes it. */
export function expandPath(path: string, cwd: string): string {
  return resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()));
}
