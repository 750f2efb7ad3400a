import { delimiter, isAbsolute } from 'node:path';

/** Where a system's own programs are; an empty PATH would mean the current directory. */
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/**
 * A PATH without relative and empty entries. They name the directory that a program runs in: in a worktree, `git` would be
 * a file of an agent.
 */
export function absoluteSearchPath(searchPath: string): string {
  return searchPath.split(delimiter).filter(isAbsolute).join(delimiter) || SYSTEM;
}
