import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { orElse } from '../../../schemas/orElse.ts';
import { isDirectory, readText } from '../git/repositoryFiles.ts';

/**
 * Makes a directory in a person's git directory unless it is there. It is as open as `like`, because the repository may
 * be a shared one.
 */
export function makeAsGit(path: string, like: string): void {
  orElse(() => {
    const first = mkdirSync(path, { recursive: true, mode: 0o777 });
    if (first === undefined) return;
    const mode = statSync(like).mode & 0o7777;
    for (let made = path; made.startsWith(first); made = dirname(made)) chmodSync(made, mode);
  });
}

/** Makes a link to this target, or repairs it. */
export async function keepLink(path: string, target: string): Promise<void> {
  if (orElse(() => readlinkSync(path)) === target) return;
  await replace(path, (fresh) => symlink(target, fresh));
}

/** Writes a small file, unless it already has this text. */
export async function keepText(path: string, text: string): Promise<void> {
  if ((await readText(path)) === text.replace(/\n$/, '')) return;
  await replace(path, (fresh) => writeFile(fresh, text));
}

/** Replaces a path atomically, because another process may be reading it. */
export async function replace(path: string, make: (fresh: string) => Promise<unknown>): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  await make(fresh);
  // Neither git nor devflow makes a directory here.
  if (await isDirectory(path)) await rm(path, { recursive: true, force: true });
  await rename(fresh, path);
}
