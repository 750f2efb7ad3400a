import { treeOf } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** Keeps a commit of a lane below `refs/devflow/kept`, so that git does not collect it. */
export async function keepCommit(privateGit: PrivateGit, commit: string): Promise<void> {
  await privateGit.objects(['update-ref', `${keptRefs(privateGit)}/${commit}`, commit]);
}

/** True if a kept commit of the lane has exactly these files. */
export async function isKept(privateGit: PrivateGit, tree: string): Promise<boolean> {
  const format = '--format=%(objectname)';
  const { stdout } = await privateGit.objects(['for-each-ref', format, `${keptRefs(privateGit)}/`], { read: true });
  for (const commit of stdout.split('\n').filter((line) => line !== '')) {
    if ((await treeOf(privateGit, commit)) === tree) return true;
  }
  return false;
}

function keptRefs({ branch }: PrivateGit): string {
  return `refs/devflow/kept/${branch}`;
}
