import { writeInside } from '../../schemas/files/insideRoot.ts';
import { clearPath } from '../repository/tree/treeFiles.ts';
import { nameOf } from './candidate/paths.ts';

/** To break more files is not cheap. */
const MOST_FILES = 1000;
/** This is no program in any language, and neither JSON nor YAML. */
const NONSENSE = `{[)("'\n`;

/**
 * The files that a check could be about. Excluded are files that start it, and files that git reads to restore the
 * checkout. Undefined if there are none, or too many.
 */
export function breakable(paths: Iterable<string>, needed: ReadonlySet<string>): string[] | undefined {
  const found: string[] = [];
  for (const path of paths) {
    if (!nameOf(path).startsWith('.git') && !needed.has(path)) found.push(path);
    if (found.length > MOST_FILES) return undefined;
  }
  return found.length === 0 ? undefined : found;
}

/** The ways to break a checkout, the milder one first. */
export const WAYS = ['overwritten', 'removed'] as const;

/** Breaks files of a checkout that devflow removes. */
export async function breakFiles(root: string, files: readonly string[], way: (typeof WAYS)[number]): Promise<void> {
  for (const path of files) {
    if (way === 'removed') await clearPath(root, path);
    else writeInside(root, path, NONSENSE, 0o644);
  }
}
