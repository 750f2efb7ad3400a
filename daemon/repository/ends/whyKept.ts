import type { WhyKept } from '../../../schemas/rpc/views/ends.ts';
import { someOf } from '../../../schemas/text/phrases.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { readStatus } from '../worktree/worktreeStatus.ts';
import { findHolder, isNamedElsewhere, type OwnRefs } from './ownBranches.ts';

export interface Reason {
  why: WhyKept;
  /** In words, to follow `kept: `. */
  reason: string;
}

const MOST_FILES = 3;

/** Why the worktree of a branch stays; undefined if nothing in it is lost. */
export async function whyWorktreeStays(place: WorktreePlace, { branches }: OwnRefs): Promise<Reason | undefined> {
  if (!branches.has(place.branch)) {
    return { why: 'failed', reason: `its branch ${place.branch} is gone, so git cannot say what is committed` };
  }
  const { files, nested } = await readStatus(await openPrivateGit(place));
  if (nested.length > 0) {
    return { why: 'nested_repository', reason: `it has a repository inside: ${someOf(nested, MOST_FILES)}` };
  }
  if (files.length > 0) {
    return { why: 'uncommitted', reason: `it has uncommitted changes: ${someOf(files, MOST_FILES)}` };
  }
  return undefined;
}

/** Why a branch stays; undefined if a branch of the person has all its commits. `ownPlace`: the worktree that goes first. */
export async function whyBranchStays(
  refs: OwnRefs,
  { branch, head, runId, ownPlace }: { branch: string; head: string; runId: string; ownPlace: string },
): Promise<Reason | undefined> {
  const lost = await whyNotHeld(refs, { head, runId });
  if (lost) return lost;
  const others = (refs.users.get(branch) ?? []).filter((place) => place !== ownPlace);
  if (others.length > 0) return { why: 'checked_out', reason: `it is checked out in ${someOf(others, MOST_FILES)}` };
  return undefined;
}

/** Why the work would be lost without devflow's branch; undefined if a branch of the person has the commit. */
export async function whyNotHeld(
  { common }: OwnRefs,
  { head, runId }: { head: string; runId: string },
): Promise<Reason | undefined> {
  if (await findHolder(common, head)) return undefined;
  if (await isNamedElsewhere(common, runId, head)) {
    return { why: 'squash', reason: 'its work was squashed, picked or rebased, and its own commits are only here' };
  }
  return { why: 'only_here', reason: 'its commits are on no branch of yours' };
}
