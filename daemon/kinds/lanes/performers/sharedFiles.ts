import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';

/** Files that two tasks may write. */
export interface SharedFiles {
  a: string;
  b: string;
  /** At most five examples. */
  files: string[];
  count: number;
}

const EXAMPLES = 5;

/** The existing files that several tasks may write, for each pair that has any. git's and devflow's own never count. */
export async function sharedFiles({
  worktree,
  tasks,
  ignoreCase,
}: {
  worktree: string;
  tasks: readonly { id: string; writeSet: readonly string[] }[];
  ignoreCase: boolean;
}): Promise<SharedFiles[]> {
  const sets = await Promise.all(tasks.map(({ writeSet }) => filesOf(worktree, writeSet, ignoreCase)));
  return tasks.flatMap(({ id: a }, first) =>
    tasks.slice(first + 1).flatMap(({ id: b }, offset) => {
      const shared = inBoth(sets[first], sets[first + 1 + offset]);
      return shared.length === 0 ? [] : [{ a, b, files: shared.slice(0, EXAMPLES), count: shared.length }];
    }),
  );
}

async function filesOf(cwd: string, writeSet: readonly string[], ignoreCase: boolean): Promise<Set<string>> {
  const options = { cwd, dot: true, followSymbolicLinks: false, onlyFiles: true, suppressErrors: false };
  // A bare name can be a directory, and brackets can be a part of a name.
  const patterns = writeSet.flatMap((glob) => [glob, fastGlob.escapePath(glob), ...inside(cwd, glob)]);
  const ignore = ['.git/**', '.git', '.devflow/**'];
  const all = { ...options, ignore, caseSensitiveMatch: !ignoreCase };
  const tasks = fastGlob.generateTasks([...new Set(patterns)], all);
  // fast-glob follows links in the fixed part of a pattern, and git has no files behind a link.
  const found = tasks.flatMap(({ positive }) => positive).filter((pattern) => !isBehindLink(cwd, pattern));
  return new Set(await fastGlob([...new Set(found)], all));
}

/** True if a parent directory in the fixed part of a pattern is a link. */
function isBehindLink(cwd: string, pattern: string): boolean {
  const parts = pattern.split('/').slice(0, -1);
  const dynamic = parts.findIndex((part) => fastGlob.isDynamicPattern(part));
  const parents = parts.slice(0, dynamic < 0 ? parts.length : dynamic).map((part) => part.replace(/\\(.)/g, '$1'));
  return parents.some((_, nth) => {
    const parent = join(cwd, ...parents.slice(0, nth + 1));
    return lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  });
}

/** The paths in the directory of this name. An existing file has nothing in it, and fast-glob would fail on it. */
function inside(cwd: string, glob: string): string[] {
  const isFile =
    !fastGlob.isDynamicPattern(glob) && (lstatSync(join(cwd, glob), { throwIfNoEntry: false })?.isFile() ?? false);
  return isFile ? [] : [`${glob}/**`];
}

function inBoth(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): string[] {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  return [...small].filter((file) => large.has(file)).sort();
}
