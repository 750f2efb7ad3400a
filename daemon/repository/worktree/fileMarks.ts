import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hashInside, lookInside, readInside } from '../../../schemas/files/insideRoot.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { orElse } from '../../../schemas/orElse.ts';

/** Files up to this size are read at once. */
const SMALL_BYTES = 1024 * 1024;
const LARGE_BYTES = 64 * 1024 * 1024;
/** An agent can make a file of any size that takes no space. Hashing this much takes some ten seconds. */
const MOST_BYTES = 8 * 1024 * 1024 * 1024;

export interface FileMarksOptions {
  /** False: files over 64 MB are compared by size and time only, as runs of older behaviours compare them. */
  hashesLarge?: boolean;
  /** False: what is not hashed is compared by size alone, for files that were just written. */
  comparesTimes?: boolean;
}

/**
 * Marks each file of a worktree by its mode and the hash of its content. The mark changes with the file. Follows no
 * link. Files over 64 MB are hashed up to 8 GB together. The rest is marked by size and times. Nobody can set `ctime`
 * back.
 */
export async function fileMarks(
  worktree: string,
  paths: readonly string[],
  { hashesLarge = true, comparesTimes = true }: FileMarksOptions = {},
): Promise<[string, string][]> {
  let room = MOST_BYTES;
  const hashOf = async (path: string, { size }: Stats): Promise<string | undefined> => {
    const read = readInside(worktree, path, SMALL_BYTES);
    if (read.ok) return sha256hex(read.bytes);
    const isLarge = size > LARGE_BYTES;
    if (isLarge && !hashesLarge) return undefined;
    const hashed = await hashInside(worktree, path, isLarge ? room : LARGE_BYTES);
    if (hashed.ok && isLarge) room -= size;
    return hashed.ok ? hashed.sha256 : undefined;
  };
  const markOf = async (path: string): Promise<string> => {
    const looked = lookInside(worktree, path);
    if (!looked.ok) return 'gone';
    const { facts } = looked;
    if (facts.isSymbolicLink()) return `link ${targetOf(join(worktree, path.replace(/\/$/, '')))}`;
    if (!facts.isFile()) return `other ${facts.mode}`;
    const sha256 = await hashOf(path, facts);
    if (sha256 !== undefined) return `${facts.mode} ${sha256}`;
    const times = facts.size > LARGE_BYTES && hashesLarge ? [facts.mtimeMs, facts.ctimeMs] : [facts.mtimeMs];
    return [facts.mode, facts.size, ...(comparesTimes ? times : [])].join(' ');
  };
  const marks: [string, string][] = [];
  for (const path of paths) {
    marks.push([path, await markOf(path)]);
    // Many small files take long, too.
    await setImmediate();
  }
  return marks;
}

function targetOf(path: string): string {
  return orElse(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : ''), '');
}
