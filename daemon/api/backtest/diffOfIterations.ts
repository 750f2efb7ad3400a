import type { DiffView } from '../../../schemas/rpc/views/approval.ts';
import type { Run } from '../../core/run/state.ts';
import { createGit } from '../../repository/git/git.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';
import { commitNamed } from '../../repository/privateGit/workCommit.ts';
import { diffBetween } from '../../repository/worktree/diff.ts';

const MOST_FILES = 2_000;

/** The difference in the code of two measured commits; null if one of them is gone. */
export function diffOfIterations(run: Run, from: string, to: string): Promise<DiffView | null> {
  return withPrivateGit(worktreeOf(run), createGit({ runId: run.id }), async (privateGit) => {
    const [base, head] = await Promise.all([from, to].map((commit) => commitNamed(privateGit, commit)));
    if (base === undefined || head === undefined) return null;
    const { files, patch, truncated } = await diffBetween(privateGit, { from: base, to: head });
    return { base, head, files: files.slice(0, MOST_FILES), patch, truncated: truncated || files.length > MOST_FILES };
  });
}
