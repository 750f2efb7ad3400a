import type { PrivateGit } from './privateGit.ts';

/** Whether `commit` contains `ancestor`. A commit contains itself. */
export async function isAncestor(privateGit: PrivateGit, ancestor: string, commit: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, commit];
  return (await privateGit.objects(args, { read: true, accept: [0, 1] })).exitCode === 0;
}

/** The newest commit that both contain; undefined if they have no common one. */
export async function commonBase(privateGit: PrivateGit, one: string, other: string): Promise<string | undefined> {
  const { stdout } = await privateGit.objects(['merge-base', one, other], { read: true, accept: [0, 1] });
  return stdout === '' ? undefined : stdout;
}

export async function treeOf(privateGit: PrivateGit, commit: string): Promise<string> {
  return (await privateGit.objects(['rev-parse', '--verify', `${commit}^{tree}`], { read: true })).stdout;
}
