import type { WorktreeSetup } from '../../schemas/repository/worktreeSetup.ts';
import { meetsArtifacts } from '../artifacts/artifactDirectory.ts';
import { withCheckout } from '../repository/checkout/checkout.ts';
import { createGit } from '../repository/git/git.ts';
import { textOf } from '../repository/git/pathBytes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { inParts } from '../system/inParts.ts';
import { findIgnored, type Refusal } from './findIgnored.ts';
import type { PlacedPath } from './setupState.ts';

export type PlacedLists = Pick<WorktreeSetup, 'copy' | 'clone' | 'link'>;

export interface Wanted {
  path: string;
  how: PlacedPath['how'];
}

const FILES_A_PART = 2_000;

/**
 * The paths of the checkout that the lists select and that the worktree can have. A path that two lists name is linked
 * rather than cloned, and cloned rather than copied.
 */
export async function choosePaths(
  privateGit: PrivateGit,
  { copy, clone, link }: PlacedLists,
): Promise<{ wanted: Wanted[]; without: Refusal[] }> {
  const { repoPath } = privateGit;
  if (copy.length + clone.length + link.length === 0) return { wanted: [], without: [] };
  const lists = { copied: copy, cloned: clone, linked: link };
  const found = await withCheckout(repoPath, createGit(), (checkout) => findIgnored(checkout, lists));
  const without = Object.values(found).flatMap(({ refused }) => refused);
  const chosen = new Map<string, Wanted>();
  for (const how of ['copied', 'cloned', 'linked'] as const) {
    for (const path of found[how].paths) chosen.set(path, { path, how });
  }
  const tracked = await trackedAmong(privateGit, chosen);
  const wanted: Wanted[] = [];
  for (const each of chosen.values()) {
    const above = parentsOf(each.path)
      .map((path) => chosen.get(path))
      .find((it) => it !== undefined);
    // It comes with the directory above.
    if (above && each.how !== 'linked') continue;
    const reason = above
      ? `lies in ${above.path}, which is ${above.how}`
      : whyNot(each.path, tracked.has(each.path), privateGit);
    if (reason === undefined) wanted.push(each);
    else without.push({ path: each.path, reason });
  }
  return { wanted, without };
}

function whyNot(path: string, isTracked: boolean, { path: worktree, repoPath }: PrivateGit): string | undefined {
  if (isTracked) return 'is tracked by git in the worktree';
  if (`${worktree}/`.startsWith(`${repoPath}/${path}/`)) return 'contains the worktree itself';
  if (meetsArtifacts(path)) return 'is of devflow itself';
  return undefined;
}

/** Of these paths, those that the commit of the worktree has, or in which it has files. */
async function trackedAmong(privateGit: PrivateGit, paths: ReadonlyMap<string, Wanted>): Promise<Set<string>> {
  if (paths.size === 0) return new Set();
  // The policy refuses calls that name files with secrets, so all are listed.
  const listed = (await privateGit.read(['ls-files', '-z'], { bytes: true })).split('\0');
  return inParts(trackedIn(listed, paths));
}

function* trackedIn(listed: readonly string[], paths: ReadonlyMap<string, Wanted>): Generator<undefined, Set<string>> {
  const tracked = new Set<string>();
  for (const [nth, file] of listed.entries()) {
    const path = textOf(file);
    for (const each of [path, ...parentsOf(path)]) if (paths.has(each)) tracked.add(each);
    if (nth % FILES_A_PART === 0) yield;
  }
  return tracked;
}

/** The directories above a path, the nearest first. */
function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, parts.length - 1 - at).join('/'));
}
