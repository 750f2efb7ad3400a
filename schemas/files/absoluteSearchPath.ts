import { delimiter, isAbsolute } from 'node:path';

/** The system's own programs. An empty PATH would mean the current directory. */
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/**
 * A PATH without relative and empty entries. Those depend on the current directory: in a worktree, `git` could be a file
 * that an agent wrote.
 */
export function absoluteSearchPath(searchPath: string): string {
  return searchPath.split(delimiter).filter(isAbsolute).join(delimiter) || SYSTEM;
}
