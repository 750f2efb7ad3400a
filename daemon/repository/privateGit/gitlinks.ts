import { join } from 'node:path';
import { readRegular } from '../../../schemas/files/openRegular.ts';
import { textOf } from '../git/pathBytes.ts';
import type { PrivateGit } from './privateGit.ts';

/** A submodule in an index. */
export interface Gitlink {
  path: string;
  commit: string;
}

/** Lists the submodules in an index, by default in the private one. */
export async function listGitlinks(privateGit: PrivateGit, index?: string): Promise<Gitlink[]> {
  if (!mayHaveGitlinks(index ?? join(privateGit.gitDir, 'index'))) return [];
  const entries = await privateGit.read(['ls-files', '--stage', '-z'], { index, bytes: true });
  return entries.split('\0').flatMap((entry) => {
    const [, commit, path] = /^160000 (\S+) .*?\t(.*)$/s.exec(entry) ?? [];
    return commit === undefined || path === undefined ? [] : [{ commit, path: textOf(path) }];
  });
}

const MOST_BYTES = 32 * 1024 * 1024;
/** The mode of a submodule, as each version of the format stores it (gitformat-index(5)). */
const GITLINK = Buffer.from([0x00, 0x00, 0xe0, 0x00]);
/** Extensions of an index that leaves entries out of its file: `link` (a shared index) and `sdir` (sparse directories). */
const INCOMPLETE = [Buffer.from('link'), Buffer.from('sdir')];

/**
 * False if the file certainly names no submodule, so that git need not start. True if it may: the same bytes can also be part
 * of something else, such as a name.
 */
function mayHaveGitlinks(index: string): boolean {
  const read = readRegular(index, MOST_BYTES);
  if (!read.ok) return !read.missing;
  return [GITLINK, ...INCOMPLETE].some((bytes) => read.bytes.includes(bytes));
}
