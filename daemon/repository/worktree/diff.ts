import { createGit } from '../git/git.ts';
import { type FileChange, parseNumstat } from '../git/numstat.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { withPrivateGit } from '../privateGit/temporaryGit.ts';

export interface DiffSince {
  /** The output of `git diff --stat`. */
  stat: string;
  /** At most `cap` characters (default 256 Ki), cut at a line. */
  patch: string;
  truncated: boolean;
  files: FileChange[];
}

interface DiffRange {
  from: string;
  to?: string;
  /** The most characters of the patch. */
  cap?: number;
}

const PATCH_CAP = 256 * 1024;
/** git only counts the files beyond this number. */
const MOST_IN_STAT = 2_000;

/**
 * A person's diff settings (external tools, prefixes, colours) must not change what an approval shows. Without
 * `--ignore-submodules` git reads `.gitmodules`, and fails on a value that it refuses.
 */
export const PLAIN = [
  '--no-color',
  '--submodule=short',
  '--ignore-submodules=none',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Patch and files of `diffBetween`, for a worktree that may be gone. */
export async function diffSince(place: WorktreePlace, range: DiffRange): Promise<Omit<DiffSince, 'stat'>> {
  return withPrivateGit(place, createGit(), (privateGit) => filesBetween(privateGit, range));
}

/**
 * The changes between the commits `from` and `to`, by default devflow's branch. It compares two trees and ignores the
 * worktree, whose attributes could hide code as binary.
 */
export async function diffBetween(
  privateGit: PrivateGit,
  { from, to = `refs/heads/${privateGit.branch}`, cap }: DiffRange,
): Promise<DiffSince> {
  const flags = ['--stat=100', `--stat-count=${MOST_IN_STAT}`];
  const [{ stdout: stat }, rest] = await Promise.all([
    privateGit.objects(['diff', ...PLAIN, ...flags, from, to, '--'], { read: true }),
    filesBetween(privateGit, { from, to, ...(cap === undefined ? {} : { cap }) }),
  ]);
  return { stat, ...rest };
}

/** Each of the two calls reads every changed file, so they run side by side. */
async function filesBetween(
  privateGit: PrivateGit,
  { from, to = `refs/heads/${privateGit.branch}`, cap = PATCH_CAP }: DiffRange,
): Promise<Omit<DiffSince, 'stat'>> {
  const [{ stdout: numbers }, patch] = await Promise.all([
    privateGit.objects(['diff', ...PLAIN, '--numstat', '-z', from, to, '--'], { read: true }),
    patchBetween(privateGit, { from, to, cap }),
  ]);
  return { ...patch, files: parseNumstat(numbers) };
}

/** The patch of `diffBetween` alone. */
export async function patchBetween(
  privateGit: PrivateGit,
  { from, to, cap }: Required<DiffRange>,
): Promise<Pick<DiffSince, 'patch' | 'truncated'>> {
  const { stdout, truncated } = await privateGit.objects(['diff', ...PLAIN, from, to, '--'], { cap, read: true });
  return { patch: truncated ? stdout.slice(0, stdout.lastIndexOf('\n') + 1) : withNewline(stdout), truncated };
}

/** The patch of one file, under its names before and after. */
export async function patchOfFile(
  privateGit: PrivateGit,
  { from, to, cap, paths }: Required<DiffRange> & { paths: readonly string[] },
): Promise<Pick<DiffSince, 'patch' | 'truncated'>> {
  const named = paths.map((path) => `:(top,literal)${path}`);
  const { stdout, truncated } = await privateGit.objects(['diff', ...PLAIN, from, to, '--', ...named], {
    cap,
    read: true,
  });
  return { patch: truncated ? stdout.slice(0, stdout.lastIndexOf('\n') + 1) : withNewline(stdout), truncated };
}

/** A larger patch of one file is cut. */
const FILE_CAP = 1024 * 1024;

export interface FileDiff {
  patch: string;
  truncated: boolean;
  binary: boolean;
}

/** The patch of one file between two commits, with the file that it was renamed from; undefined if it did not change. */
export async function diffOfFile(
  place: WorktreePlace,
  { from, to, path }: { from: string; to: string; path: string },
): Promise<FileDiff | undefined> {
  return withPrivateGit(place, createGit(), async (privateGit) => {
    const names = await privateGit.objects(['diff', ...PLAIN, '--name-status', '-z', from, to, '--'], { read: true });
    const paths = changedPaths(names.stdout).find((each) => each.at(-1) === path);
    if (!paths) return undefined;
    const { patch, truncated } = await patchOfFile(privateGit, { from, to, cap: FILE_CAP, paths });
    const [head = ''] = patch.split(/^@@ /m, 1);
    return { patch, truncated, binary: /^Binary files .* differ$/m.test(head) };
  });
}

/** The paths of `--name-status -z`: one for each file, or the old and the new one of a rename. */
function changedPaths(text: string): string[][] {
  const parts = text.split('\0');
  const paths: string[][] = [];
  for (let at = 0; at + 1 < parts.length; ) {
    const count = /^[RC]/.test(parts[at] ?? '') ? 2 : 1;
    paths.push(parts.slice(at + 1, at + 1 + count));
    at += count + 1;
  }
  return paths;
}

/** execa strips the last newline, but a patch needs it to apply. */
function withNewline(text: string): string {
  return text === '' ? '' : `${text}\n`;
}
