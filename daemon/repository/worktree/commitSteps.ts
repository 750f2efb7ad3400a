import type { PrivateGit } from '../privateGit/privateGit.ts';
import { withIndex, writeTree } from '../privateGit/privateIndex.ts';
import { type CommitWork, findCommit, OF_ANY_ATTEMPT, recordCommit, TRAILER } from './commitMessage.ts';
import type { WorktreeStatus } from './worktreeStatus.ts';

/**
 * Commits the files of each step, in order. A file belongs to the first step that takes it. A file that no step takes
 * stays uncommitted. After a crash, the next call continues with the remaining files, also in another attempt. An
 * agent's own commits are never cut: then it does nothing.
 */
export async function commitSteps(
  privateGit: PrivateGit,
  { steps = [], ...input }: CommitWork,
  { tip, files, paths }: WorktreeStatus,
): Promise<boolean> {
  const isOwn = tip === input.since || (tip !== null && (await findCommit(privateGit, input, OF_ANY_ATTEMPT)) === tip);
  if (tip === null || !isOwn) return false;
  const left = new Map(files.map((file, at) => [file, paths[at] as string]));
  let last = tip;
  for (const { step, subject, takes } of steps) {
    const taken = [...left.keys()].filter(takes);
    if (taken.length === 0) continue;
    const staged = taken.map((file) => left.get(file) as string);
    for (const file of taken) left.delete(file);
    const tree = await withIndex(privateGit, (index) => writeTree(privateGit, index, staged));
    const made = { ...input, subject, trailers: { ...input.trailers, step } };
    last = await recordCommit(privateGit, made, { tree, parents: [last], tip: last });
  }
  return last !== tip;
}

/** The commits of steps after `since`, the oldest first. */
export async function listSteps(
  privateGit: PrivateGit,
  { since }: Pick<CommitWork, 'since'>,
  commit: string,
): Promise<{ step: number; commit: string }[]> {
  const format = `--format=%H %(trailers:key=${TRAILER.step},valueonly,separator=%x20)`;
  const { stdout: log } = await privateGit.objects(['log', '--reverse', format, `^${since}`, commit, '--'], {
    read: true,
  });
  return log.split('\n').flatMap((line) => {
    const [id = '', step = ''] = line.trim().split(' ');
    return /^[1-9]\d*$/.test(step) ? [{ step: Number(step), commit: id }] : [];
  });
}
