import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The directories that one call of git may read. */
export interface GitPlaces {
  workTree?: string;
  gitDirs: readonly string[];
}

/** git reads files of these names in each directory of a worktree, even untracked ones. */
const READ_BY_GIT = new Set(['.gitignore', '.gitattributes', '.gitmodules', '.mailmap']);
/** git itself ignores `.gitattributes` above this size. */
const MOST_BYTES = 100 * 1024 * 1024;
/** Most calls end sooner, without a search. */
const SEARCH_AFTER_MS = 1_000;

/**
 * Runs one call of git. git opens a pipe or a device like a file, and then hangs. So if the call takes long, this searches for
 * such a file. If it finds one, it aborts the signal and returns a sentence that names the file. Other calls may take any time.
 */
export async function guardGit<T>(
  places: GitPlaces,
  call: (signal: AbortSignal) => Promise<T>,
  searchAfterMs = SEARCH_AFTER_MS,
): Promise<{ result: T; stuckAt: string | undefined }> {
  const stuck = new AbortController();
  const ended = new AbortController();
  const watching = watch(places, searchAfterMs, ended.signal).then((found) => {
    if (found !== undefined && !ended.signal.aborted) stuck.abort();
    return found;
  });
  try {
    const result = await call(stuck.signal);
    return { result, stuckAt: stuck.signal.aborted ? await watching : undefined };
  } finally {
    ended.abort();
  }
}

/** Searches again and again, because a file may appear while git runs. Each pause is much longer than the search. */
async function watch(places: GitPlaces, searchAfterMs: number, ended: AbortSignal): Promise<string | undefined> {
  for (let wait = searchAfterMs; ; ) {
    await pause(wait, undefined, { signal: ended }).catch(() => {});
    if (ended.aborted) return undefined;
    const began = performance.now();
    const found = await findUnreadable(places, ended);
    if (found !== undefined) return found;
    wait = Math.max(wait * 2, (performance.now() - began) * 4);
  }
}

async function findUnreadable({ workTree, gitDirs }: GitPlaces, ended: AbortSignal): Promise<string | undefined> {
  for (const gitDir of gitDirs) {
    const found = await walk(gitDir, (entry) => (entry.name === 'worktrees' ? undefined : faultOf(entry)), ended);
    if (found !== undefined) return found;
  }
  // git opens files of a `.git` to see whether its directory is a repository.
  const inFiles = (entry: Dirent) => {
    if (!`${entry.parentPath}/`.includes('/.git/', workTree?.length)) return faultOfRead(entry);
    return entry.name === 'objects' ? undefined : faultOf(entry);
  };
  return workTree === undefined ? undefined : walk(workTree, inFiles, ended);
}

type Visited = 'descend' | { fault: string } | undefined;
type Visit = (entry: Dirent) => Promise<Visited> | Visited;

/** The first of these paths that git cannot store, with the reason. */
export async function findUnstorable(workTree: string, paths: readonly Buffer[]): Promise<string | undefined> {
  for (const path of paths) {
    const facts = await lstat(Buffer.concat([Buffer.from(`${workTree}/`), path])).catch(() => undefined);
    const fault = facts?.isSocket() ? { fault: 'a socket, not a file' } : facts && specialKind(facts);
    if (fault) return `${workTree}/${path} is ${fault.fault}`;
  }
  return undefined;
}

/** Follows no links. Stops when the call of git ends. */
async function walk(root: string, visit: Visit, ended: AbortSignal): Promise<string | undefined> {
  for (const left = [root]; left.length > 0 && !ended.aborted; ) {
    const directory = left.pop() as string;
    // git cannot enter an unreadable or missing directory either.
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const visited = await visit(entry);
      if (visited === 'descend') left.push(join(directory, entry.name));
      else if (visited !== undefined) return `${join(directory, entry.name)} is ${visited.fault}`;
    }
  }
  return undefined;
}

function faultOf(entry: Dirent): Visited {
  return entry.isDirectory() ? 'descend' : specialKind(entry);
}

async function faultOfRead(entry: Dirent): Promise<Visited> {
  if (entry.isDirectory()) return 'descend';
  if (!READ_BY_GIT.has(entry.name)) return undefined;
  const path = join(entry.parentPath, entry.name);
  const facts = await lstat(path).catch(() => undefined);
  // Some versions of git follow these links.
  const read = facts?.isSymbolicLink() ? await stat(path).catch(() => undefined) : facts;
  if (read?.isFile() && read.size > MOST_BYTES) return { fault: `larger than ${MOST_BYTES / 1024 / 1024} MB` };
  return read && specialKind(read);
}

/** Not a socket: opening one fails, so git does not hang. */
function specialKind(
  file: Pick<Dirent, 'isFIFO' | 'isCharacterDevice' | 'isBlockDevice'>,
): { fault: string } | undefined {
  if (file.isFIFO()) return { fault: 'a pipe, not a file' };
  if (file.isCharacterDevice() || file.isBlockDevice()) return { fault: 'a device, not a file' };
  return undefined;
}
