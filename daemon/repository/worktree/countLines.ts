import { createGit } from '../git/git.ts';
import { parseNumstat, totals } from '../git/numstat.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { withPrivateGit } from '../privateGit/temporaryGit.ts';
import { PLAIN } from './diff.ts';

/** A longer line holds more than a person takes for a line. */
const LONGEST_LINE = 2_000;
const PATCH_CAP = 4 * 1024 * 1024;

/**
 * The lines that a change adds and removes. `binaries`: its files that lines do not tell, which are binary files, submodules,
 * renames, changed modes, and files with a very long line.
 */
export async function countLines(
  place: WorktreePlace,
  { from, to }: { from: string; to: string },
): Promise<{ lines: number; binaries: number }> {
  return withPrivateGit(place, createGit(), async (privateGit) => {
    const diff = (flags: string[], cap?: number) =>
      privateGit.objects(['diff', ...PLAIN, ...flags, from, to, '--'], { read: true, ...(cap ? { cap } : {}) });
    const [numbers, raw, patch] = await Promise.all([
      diff(['--numstat', '-z']),
      diff(['--raw', '-z']),
      diff(['--unified=0'], PATCH_CAP),
    ]);
    const { insertions, deletions } = totals(parseNumstat(numbers.stdout));
    const special = new Set([...binaryFiles(numbers.stdout), ...filesBeyondLines(raw.stdout)]);
    const long = Math.max(countLongFiles(patch.stdout), patch.truncated ? 1 : 0);
    return { lines: insertions + deletions, binaries: special.size + long };
  });
}

/** Of `--numstat -z`. A renamed file has its name elsewhere. */
function binaryFiles(numbers: string): string[] {
  return numbers.split('\0').flatMap((each) => /^\n?-\t-\t(.+)$/s.exec(each)?.[1] ?? []);
}

const GITLINK = '160000';
const NONE = '000000';

/** The files of `--raw -z` that are renamed, copied, submodules, or of another mode. */
function filesBeyondLines(raw: string): string[] {
  const parts = raw.split('\0');
  const found: string[] = [];
  for (let at = 0; at + 1 < parts.length; ) {
    const [, before = '', after = '', status = ''] = /^\n?:(\d+) (\d+) \S+ \S+ ([A-Z])/.exec(parts[at] ?? '') ?? [];
    const names = status === 'R' || status === 'C' ? 2 : 1;
    const isOther = before !== after && before !== NONE && after !== NONE;
    if (names === 2 || isOther || before === GITLINK || after === GITLINK) found.push(parts[at + names] ?? '');
    at += names + 1;
  }
  return found;
}

/** Of a patch without context. In it only the head of a file begins with this word. */
function countLongFiles(patch: string): number {
  const files = patch.split(/^diff --git /m);
  return files.filter((file) => file.split('\n').some((line) => line.length > LONGEST_LINE)).length;
}
