import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What one call of git may read. */
export interface GitPlaces {
  workTree?: string;
  gitDirs: readonly string[];
}

/** git reads files of these names in each directory of a worktree, also when git does not track them. */
const READ_BY_GIT = new Set(['.gitignore', '.gitattributes', '.gitmodules', '.mailmap']);
/** git itself ignores `.gitattributes` above this size. */
const MOST_BYTES = 100 * 1024 * 1024;
/** Most calls end before: nothing is looked at for them. */
const PATIENCE_MS = 1_000;

/**
 * Runs one call of git. git opens a pipe or a device as if it were a file, and then waits for ever. So when the call takes
 * long, this looks for such a file, aborts the signal and returns a sentence that names the file. Otherwise the call goes
 * on as long as it likes.
 */
export async function guardGit<T>(
  places: GitPlaces,
  call: (signal: AbortSignal) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<{ result: T; stuckAt: string | undefined }> {
  const stuck = new AbortController();
  const ended = new AbortController();
  const watching = watch(places, patienceMs, ended.signal).then((found) => {
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

/** A file may be made while git runs, so it looks again, and each time waits much longer than it looked. */
async function watch(places: GitPlaces, patienceMs: number, ended: AbortSignal): Promise<string | undefined> {
  for (let wait = patienceMs; ; ) {
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
  // To see whether a directory is a repository, git opens files of its `.git`.
  const inFiles = (entry: Dirent) => {
    if (!`${entry.parentPath}/`.includes('/.git/', workTree?.length)) return faultOfRead(entry);
    return entry.name === 'objects' ? undefined : faultOf(entry);
  };
  return workTree === undefined ? undefined : walk(workTree, inFiles, ended);
}

type Judgement = 'descend' | { fault: string } | undefined;
type Judge = (entry: Dirent) => Promise<Judgement> | Judgement;

/** Of these paths, the first that git cannot store, and why. */
export async function findUnstorable(workTree: string, paths: readonly Buffer[]): Promise<string | undefined> {
  for (const path of paths) {
    const facts = await lstat(Buffer.concat([Buffer.from(`${workTree}/`), path])).catch(() => undefined);
    const fault = facts?.isSocket() ? { fault: 'a socket, not a file' } : facts && specialKind(facts);
    if (fault) return `${workTree}/${path} is ${fault.fault}`;
  }
  return undefined;
}

/** Follows no link. Ends with the call of git at the latest, however many files there are. */
async function walk(root: string, judge: Judge, ended: AbortSignal): Promise<string | undefined> {
  for (const left = [root]; left.length > 0 && !ended.aborted; ) {
    const directory = left.pop() as string;
    // Unreadable or gone meanwhile: git does not get in either.
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      const judged = await judge(entry);
      if (judged === 'descend') left.push(join(directory, entry.name));
      else if (judged !== undefined) return `${join(directory, entry.name)} is ${judged.fault}`;
    }
  }
  return undefined;
}

function faultOf(entry: Dirent): Judgement {
  return entry.isDirectory() ? 'descend' : specialKind(entry);
}

async function faultOfRead(entry: Dirent): Promise<Judgement> {
  if (entry.isDirectory()) return 'descend';
  if (!READ_BY_GIT.has(entry.name)) return undefined;
  const path = join(entry.parentPath, entry.name);
  const facts = await lstat(path).catch(() => undefined);
  // Versions of git differ in which of these links they follow.
  const read = facts?.isSymbolicLink() ? await stat(path).catch(() => undefined) : facts;
  if (read?.isFile() && read.size > MOST_BYTES) return { fault: `larger than ${MOST_BYTES / 1024 / 1024} MB` };
  return read && specialKind(read);
}

/** A socket is none of them: it cannot be opened, so git goes on at once. */
function specialKind(
  file: Pick<Dirent, 'isFIFO' | 'isCharacterDevice' | 'isBlockDevice'>,
): { fault: string } | undefined {
  if (file.isFIFO()) return { fault: 'a pipe, not a file' };
  if (file.isCharacterDevice() || file.isBlockDevice()) return { fault: 'a device, not a file' };
  return undefined;
}
