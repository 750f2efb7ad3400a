import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, type Git } from './git.ts';
import { type Lane, type LanePlace, makeLane, openLane } from './lane.ts';
import { type FileChange, parseNumstat } from './numstat.ts';
import { commonDirectory } from './repositoryFiles.ts';

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
  return withLane(input.lane, git, (lane) => diffOf(lane, input));
}

/** A worktree that is gone has no git directory of devflow's own any more: one is lent, so that a person still sees the work. */
async function withLane<T>(place: LanePlace, git: Git, use: (lane: Lane) => Promise<T>): Promise<T> {
  const lane = await openLane(place, git).catch(() => undefined);
  if (lane) return use(lane);
  const common = await commonDirectory(place.repoPath);
  const directory = await mkdtemp(join(tmpdir(), 'devflow-diff-'));
  try {
    return await use(await makeLane(place, common, { directory, ref: null, lock: null }, git));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function diffOf(
  lane: Lane,
  { from, to = `refs/heads/${lane.branch}` }: { from: string; to?: string },
): Promise<DiffSince> {
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
