import { parseNumstat, totals } from '../git/numstat.ts';
import type { PrivateGit } from './privateGit.ts';

/** Counts the files and lines that two commits or trees differ by. */
export async function measure(privateGit: PrivateGit, since: string, to: string) {
  const flags = ['--numstat', '-z', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none'];
  const { stdout } = await privateGit.objects(['diff', ...flags, since, to, '--'], { read: true });
  return totals(parseNumstat(stdout));
}
