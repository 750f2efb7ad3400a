import { keepCommit } from '../privateGit/keepCommit.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';

/**
 * Puts the branch of a lane back to `head`, where it was when devflow prepared a conflict. What an agent committed there
 * stays below `refs/devflow/kept`. Changes no file. Fails if somebody moves the branch meanwhile.
 */
export async function takeBack(privateGit: PrivateGit, head: string): Promise<void> {
  const ref = `refs/heads/${privateGit.branch}`;
  const tip = await commitNamed(privateGit, ref);
  if (tip === head) return;
  if (tip !== undefined) await keepCommit(privateGit, tip);
  const why = "devflow: take back an agent's commit";
  // To git, zeros as the old value mean that the branch must not exist.
  await privateGit.objects(['update-ref', '--no-deref', '-m', why, ref, head, tip ?? '0'.repeat(head.length)]);
}
