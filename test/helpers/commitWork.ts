import { commitAndList } from '../../daemon/repository/worktree/commitWork.ts';

/** What was committed, for tests that do not look at the worktree's listing. */
export async function commitWork(...about: Parameters<typeof commitAndList>) {
  return (await commitAndList(...about)).work;
}
