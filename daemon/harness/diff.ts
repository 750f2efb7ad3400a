import { createGit, type Git } from './git.ts';
import { type LanePlace, openLane } from './lane.ts';
import { type FileChange, parseNumstat } from './numstat.ts';

export interface DiffSince {
  /** `git diff --stat`, for a person. */
  stat: string;
  /** At most 256 Ki characters, cut at a line. */
  patch: string;
  truncated: boolean;
  files: FileChange[];
}

const PATCH_CAP = 256 * 1024;

/** A user's diff settings (external tools, prefixes, colours) must not change what an approval shows. */
const PLAIN = [
  '--no-color',
  '--submodule=short',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/**
 * The changes between the commits `from` and `to`, by default devflow's branch. It compares two trees and ignores the
 * worktree, whose attributes could hide code as binary.
 */
export async function diffSince(
  input: { lane: LanePlace; from: string; to?: string },
  git: Git = createGit(),
): Promise<DiffSince> {
  const { from, to = `refs/heads/${input.lane.branch}` } = input;
  const lane = await openLane(input.lane, git);
  const range = [from, to, '--'];
  const diff = (flags: string[], cap?: number) =>
    lane.objects(['diff', ...PLAIN, ...flags, ...range], { cap, read: true });
  const { stdout: stat } = await diff(['--stat=100']);
  const { stdout: numbers } = await diff(['--numstat', '-z']);
  const patch = await diff([], PATCH_CAP);
  const kept = patch.truncated ? patch.stdout.slice(0, patch.stdout.lastIndexOf('\n') + 1) : withNewline(patch.stdout);
  return { stat, patch: kept, truncated: patch.truncated, files: parseNumstat(numbers) };
}

/** execa takes the last newline off; a patch without it does not apply. */
function withNewline(text: string): string {
  return text === '' ? '' : `${text}\n`;
}
