import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, visitInside } from '../../../schemas/files/insideRoot.ts';
import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { hash } from '../../../schemas/hash.ts';
import { type FileMarksOptions, fileMarks } from '../../repository/worktree/fileMarks.ts';

const MOST_FILES = 20_000;
/** git's own files, and devflow's for agents. */
const SKIPPED: readonly string[] = ['.git', '.devflow'];

/** True if a path of the worktree is protected. */
export type IsProtected = (path: string) => boolean;

/**
 * One hash of all protected files of a worktree, also of those that git ignores. It follows no link. `starts`: the directories
 * where protected files can be; empty: everywhere.
 */
export async function hashProtected(
  worktree: string,
  isProtected: IsProtected,
  starts: readonly string[],
  options: FileMarksOptions = {},
): Promise<string> {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.size > MOST_FILES) throw tooMany();
    const looked = lookInside(worktree, path);
    if (!looked.ok) return;
    if (looked.facts.isDirectory()) for (const name of namesIn(worktree, path)) visit(join(path, name));
    else if (isProtected(path)) found.add(path);
  };
  const tops = starts.length > 0 ? starts : namesIn(worktree, '.');
  for (const start of [...new Set(tops)].filter((top) => !SKIPPED.includes(top))) visit(start);
  return hash(await fileMarks(worktree, [...found].sort(), options));
}

function tooMany(): DevflowError {
  return new DevflowError('usage', `The objective protects more than ${MOST_FILES} files.`, {
    recoveryHint: 'Abort the run and protect fewer files: name the evaluator, its settings and its data.',
  });
}

/** The names in a directory of the worktree; none if it is gone or no directory. */
function namesIn(worktree: string, path: string): string[] {
  let entries: Dirent[] = [];
  if (path === '.') entries = readdirSync(worktree, { withFileTypes: true });
  else
    visitInside(worktree, path, (directory) => {
      entries = readdirSync(directory, { withFileTypes: true });
    });
  return entries.map(({ name }) => name).filter((name) => !SKIPPED.includes(name));
}

/** The words of a command that are files of the worktree: its program, its scripts and settings. */
export function filesOfCommand(worktree: string, argv: readonly string[]): string[] {
  const isFile = (word: string) => {
    if (repositoryPathFault(word) !== undefined) return false;
    const looked = lookInside(worktree, word);
    return looked.ok && looked.facts.isFile();
  };
  return argv.map((word) => word.replace(/^\.\//, '')).filter(isFile);
}

/** The directory, or file, below which everything is that a glob can match; undefined for everything. */
export function startOfGlob(glob: string): string | undefined {
  const parts = glob.split('/');
  const plain = parts.slice(
    0,
    parts.findIndex((part) => /[*?[\]{}()!+@|\\]/.test(part)),
  );
  const start = parts.some((part) => /[*?[\]{}()!+@|\\]/.test(part)) ? plain : parts;
  return start.length === 0 ? undefined : start.join('/');
}
