import type { GitOptions, GitOutput } from './gitCommand.ts';
import { textOf } from './pathBytes.ts';

/** Runs git on the objects of a repository alone: no link of a checkout is followed, and no filter runs. */
export type ReadObjects = (args: readonly string[], options: GitOptions) => Promise<GitOutput>;

/** A path of a commit. */
export interface CommitEntry {
  id: string;
  /** False for links and submodules. */
  isFile: boolean;
  isLink: boolean;
  executable: boolean;
}

const LISTED_CHARACTERS = 48 * 1024 * 1024;
const READ = { read: true, bytes: true } as const;

/** All paths of a commit, or these alone, which may be directories. Their names are text. */
export async function listCommit(
  objects: ReadObjects,
  commit: string,
  paths?: readonly string[],
): Promise<{ entries: Map<string, CommitEntry>; isCut: boolean }> {
  const args = ['ls-tree', '-z', '--full-tree', ...(paths ? [commit, '--', ...paths] : ['-r', commit])];
  const { stdout, truncated } = await objects(args, { ...READ, cap: LISTED_CHARACTERS });
  const entries = new Map<string, CommitEntry>();
  for (const line of stdout.split('\0')) {
    const [, mode = '', id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    if (id === undefined || path === undefined) continue;
    const isFile = mode.startsWith('100');
    entries.set(textOf(path), { id, isFile, isLink: mode === '120000', executable: mode === '100755' });
  }
  return { entries, isCut: truncated };
}

/** The bytes of these files, as far as they are small enough. */
export async function readBlobs(
  objects: ReadObjects,
  entries: ReadonlyMap<string, CommitEntry>,
  paths: readonly string[],
  { mostBytes, mostTotal = mostBytes }: { mostBytes: number; mostTotal?: number },
): Promise<{ blobs: Map<string, Buffer>; tooLarge: string[] }> {
  const blobs = new Map<string, Buffer>();
  const tooLarge: string[] = [];
  if (paths.length === 0) return { blobs, tooLarge };
  const input = (some: readonly string[]) => some.map((path) => `${entries.get(path)?.id}\n`).join('');
  const checked = await objects(['cat-file', '--batch-check'], { ...READ, input: input(paths) });
  const sizes = checked.stdout.split('\n');
  let total = 0;
  const fitting = paths.filter((path, nth) => {
    const size = Number(/ blob (\d+)$/.exec(sizes[nth] ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
    const fits = size <= mostBytes && total + size <= mostTotal;
    if (fits) total += size;
    else tooLarge.push(path);
    return fits;
  });
  if (fitting.length === 0) return { blobs, tooLarge };
  const { stdout } = await objects(['cat-file', '--batch'], { ...READ, input: input(fitting) });
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
