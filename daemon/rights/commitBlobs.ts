import type { Git } from '../repository/git/git.ts';
import { textOf } from '../repository/git/pathBytes.ts';

/** A path of a commit that is no directory. */
export interface CommitEntry {
  id: string;
  /** False for links and submodules. */
  isFile: boolean;
  executable: boolean;
}

const LISTED_CHARACTERS = 48 * 1024 * 1024;
const BARE = ['core.bare=true'];

/** All paths of a commit that are UTF-8. */
export async function listCommit(
  git: Git,
  gitDir: string,
  commit: string,
): Promise<{ entries: Map<string, CommitEntry>; isCut: boolean }> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const options = { gitDir, settings: BARE, read: true, bytes: true, cap: LISTED_CHARACTERS };
  const { stdout, truncated } = await git.run(gitDir, args, options);
  const entries = new Map<string, CommitEntry>();
  for (const line of stdout.split('\0')) {
    const [, mode = '', id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    if (id === undefined || path === undefined) continue;
    entries.set(textOf(path), { id, isFile: mode.startsWith('100'), executable: mode === '100755' });
  }
  return { entries, isCut: truncated };
}

/** The bytes of these files, as far as they are small enough. */
export async function readBlobs(
  git: Git,
  gitDir: string,
  entries: ReadonlyMap<string, CommitEntry>,
  paths: readonly string[],
  { mostBytes, mostTotal }: { mostBytes: number; mostTotal: number },
): Promise<{ blobs: Map<string, Buffer>; tooLarge: string[] }> {
  const blobs = new Map<string, Buffer>();
  const tooLarge: string[] = [];
  if (paths.length === 0) return { blobs, tooLarge };
  const input = (some: readonly string[]) => some.map((path) => `${entries.get(path)?.id}\n`).join('');
  const options = { gitDir, settings: BARE, read: true, bytes: true };
  const sizes = (
    await git.run(gitDir, ['cat-file', '--batch-check'], { ...options, input: input(paths) })
  ).stdout.split('\n');
  let total = 0;
  const fitting = paths.filter((path, nth) => {
    const size = Number(/ blob (\d+)$/.exec(sizes[nth] ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
    const fits = size <= mostBytes && total + size <= mostTotal;
    if (fits) total += size;
    else tooLarge.push(path);
    return fits;
  });
  if (fitting.length === 0) return { blobs, tooLarge };
  const { stdout } = await git.run(gitDir, ['cat-file', '--batch'], { ...options, input: input(fitting) });
  let at = 0;
  for (const path of fitting) {
    const header = stdout.slice(at, stdout.indexOf('\n', at));
    const size = Number(header.split(' ')[2]);
    at += header.length + 1;
    blobs.set(path, Buffer.from(stdout.slice(at, at + size), 'latin1'));
    at += size + 1;
  }
  return { blobs, tooLarge };
}
