import { homedir } from 'node:os';
import type { Env } from '../../schemas/files/paths.ts';

/** A path below the home directory as `~/…`. */
export function tildePath(path: string, env: Env): string {
  const home = env.HOME || homedir();
  if (path === home) return '~';
  return home !== '/' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
