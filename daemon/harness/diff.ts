import { createGit, type Git } from './git.ts';
import { type FileChange, parseNumstat } from './numstat.ts';

export interface DiffSince {
  /** `git diff --stat`, for a person. */
  stat: string;
  /** At most 256 Ki characters, cut at a line. */
  patch: string;
  truncated: boolean;
  files: FileChange[];
}

const PATCH_CAP = 256 * 1024;

/** A user's diff settings (external tools, prefixes, colours) must not change what an approval shows. */
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/'];

/** What was committed in the worktree from the commit `from` to `to` (HEAD by default). Uncommitted changes are not in it. */
export async function diffSince(
  input: { worktree: string; from: string; to?: string },
  git: Git = createGit(),
): Promise<DiffSince> {
  const { worktree, from, to = 'HEAD' } = input;
  const range = [from, to, '--'];
  const stat = await git.read(worktree, ['diff', ...PLAIN, '--stat=100', ...range]);
  const numbers = await git.read(worktree, ['diff', ...PLAIN, '--numstat', '-z', ...range]);
  const patch = await git.run(worktree, ['diff', ...PLAIN, ...range], { read: true, cap: PATCH_CAP });
  const kept = patch.truncated ? patch.stdout.slice(0, patch.stdout.lastIndexOf('\n') + 1) : withNewline(patch.stdout);
  return { stat, patch: kept, truncated: patch.truncated, files: parseNumstat(numbers) };
}

/** execa takes the last newline off; a patch without it does not apply. */
function withNewline(text: string): string {
  return text === '' ? '' : `${text}\n`;
}
