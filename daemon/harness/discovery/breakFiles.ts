import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { clearPath } from '../tree/treeFiles.ts';
import { nameOf } from './candidate/paths.ts';
import { documents } from './readers/documents.ts';
import { READERS } from './readers/index.ts';
import { unreadTool } from './unread.ts';

/** To break more files is not cheap. */
const MOST_FILES = 1000;
/** No program of any language, and neither JSON nor YAML. */
const NONSENSE = `{[)("'\n`;
const SETTINGS = /(?:^\.|config|^Dockerfile|\.lock$|-lock\.|^go\.sum$|\.toml$|\.cfg$|\.ini$|\.gradle)/i;

/** The files that a check could be about: not what says how it starts. Undefined if there are none, or too many. */
export function breakable(paths: Iterable<string>, needed: ReadonlySet<string>): string[] | undefined {
  const found: string[] = [];
  for (const path of paths) {
    const isDocument = documents.reads(path);
    const isSetting =
      path.split('/').some((part) => part.startsWith('.')) ||
      SETTINGS.test(nameOf(path)) ||
      unreadTool(path) !== undefined ||
      (!isDocument && READERS.some((reader) => reader.reads(path)));
    if (!isSetting && !needed.has(path)) found.push(path);
    if (found.length > MOST_FILES) return undefined;
  }
  return found.length === 0 ? undefined : found;
}

/** How a checkout is broken, the milder way first. */
export const WAYS = ['overwritten', 'removed'] as const;

/** Breaks files of a checkout that devflow removes. */
export async function breakFiles(root: string, files: readonly string[], way: (typeof WAYS)[number]): Promise<void> {
  for (const path of files) {
    if (way === 'removed') await clearPath(root, path);
    else writeInside(root, path, NONSENSE, 0o644);
  }
}
