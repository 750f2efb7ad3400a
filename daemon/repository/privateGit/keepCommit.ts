import { treeOf } from './history.ts';
import type { PrivateGit } from './privateGit.ts';

/** Keeps a commit of a lane below `refs/devflow/kept`, so that git does not collect it. Returns the ref. */
export async function keepCommit(privateGit: PrivateGit, commit: string): Promise<string> {
  const ref = `${keptRefs(privateGit)}/${commit}`;
  await privateGit.objects(['update-ref', ref, commit]);
  return ref;
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
