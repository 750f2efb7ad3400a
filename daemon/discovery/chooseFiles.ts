import { repositoryPathFault } from '../../schemas/files/repositoryPath.ts';
import type { Uncovered } from '../../schemas/repoFacts.ts';
import { READERS } from './readers/index.ts';
import { unreadTool } from './unread.ts';

const MOST_FILES = 120;
const MOST_DEPTH = 5;
/** Directories with files of somebody else, or for tests of the repository's own program. */
const FOREIGN = new Set(
  'node_modules vendor third_party fixtures __fixtures__ testdata test tests __tests__ example examples dist build target'.split(
    ' ',
  ),
);

/** The files to read, those near the root first, and what devflow sees and does not read. */
export function chooseFiles(paths: Iterable<string>): { chosen: string[]; uncovered: Uncovered[] } {
  const readable: string[] = [];
  const foreign: string[] = [];
  const uncovered: Uncovered[] = [];
  for (const path of paths) {
    const parts = path.split('/');
    const isRead = READERS.some((reader) => reader.reads(path));
    if (parts.slice(0, -1).some((part) => FOREIGN.has(part)) && !path.startsWith('.github/')) {
      if (isRead) foreign.push(path);
      continue;
    }
    const tool = isRead ? undefined : unreadTool(path);
    const fault = isRead || tool !== undefined ? repositoryPathFault(path) : undefined;
    if (fault !== undefined) uncovered.push({ path, why: `the path ${fault}` });
    else if (tool !== undefined) uncovered.push({ path, why: `devflow does not read files of ${tool}` });
    else if (isRead && parts.length > MOST_DEPTH)
      uncovered.push({ path, why: 'the file is too deep in the repository' });
    else if (isRead) readable.push(path);
  }
  readable.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const left = readable.slice(MOST_FILES);
  if (left.length > 0) {
    const why = `this file and ${left.length - 1} more are not read: devflow reads ${MOST_FILES}`;
    uncovered.push({ path: left[0] ?? '.', why });
  }
  if (foreign.length > 0) {
    const why = `${foreign.length} such files are in directories of tests, examples or foreign code, and not read`;
    uncovered.push({ path: foreign[0] ?? '.', why });
  }
  return { chosen: readable.slice(0, MOST_FILES), uncovered };
}

/** Workflows count as files of the root. */
function depthOf(path: string): number {
  return path.startsWith('.github/') ? 0 : path.split('/').length;
}
