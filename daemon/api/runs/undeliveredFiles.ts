import { isLocalFile } from '../../../schemas/contracts/handover/document/contract.ts';
import { textAt } from '../../contracts/exchange/keepFiles.ts';
import type { Delivered } from '../../core/run/exchangeState.ts';
import type { Run } from '../../core/run/state.ts';
import { createGit } from '../../repository/git/git.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';
import type { Difference } from '../../store/verify.ts';

/**
 * The last files of an exchange that its branch lacks or has otherwise. Ignored files are looked for in the worktree. Without
 * the worktree, the branch is the person's.
 */
export async function undeliveredFiles(run: Run, { commit, ignored }: Delivered): Promise<Difference[]> {
  const files = Object.entries(run.exchange?.files ?? {}).filter(([path]) => !isLocalFile(path));
  if (files.length === 0 || !(await isDirectory(run.worktreeRoot))) return [];
  return withPrivateGit(worktreeOf(run), createGit(), async ({ objects }) => {
    const found: Difference[] = [];
    for (const [path, text] of files) {
      if (ignored.includes(path)) {
        const there = textAt(run.worktreeRoot, path) ?? null;
        if (there !== text) found.push({ path: `files.${path}`, replayed: text, stored: there });
        continue;
      }
      const read = { read: true, accept: [0, 128] };
      const blob = commit === null ? undefined : await objects(['cat-file', 'blob', `${commit}:${path}`], read);
      const stored = blob?.exitCode === 0 ? blob.stdout : null;
      // git's output comes without its last newline.
      if (stored !== text.replace(/\r?\n$/, '')) found.push({ path: `files.${path}`, replayed: text, stored });
    }
    return found;
  });
}
