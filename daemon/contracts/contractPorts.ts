import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UNKNOWN_HINT } from '../../schemas/contracts/checkContracts.ts';
import { systemFault } from '../../schemas/errors/systemFault.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { canBePath } from '../../schemas/files/repositoryPath.ts';

/** The needs of the methods of contracts, with a daemon and without. */
export interface ContractPorts {
  /** Milliseconds since 1970. */
  now(): number;
  /** True if an open run owns this directory. Without a daemon: true if a run may own it. */
  isInUse(directory: string): Promise<boolean>;
  /** Writes to the daemon's log. Absent without a daemon, which has none. */
  warn?(message: string, facts: Record<string, unknown>): void;
}

/** Throws `contract_not_found` if there is no such directory. */
export function requireRepository(repo: string): void {
  // Callers of `devflow/contracts` give any text.
  if (canBePath(repo) && isDirectory(repo)) return;
  throw contractNotFound('repository', `There is no directory ${repo}.`);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (cause) {
    throw contractNotFound('repository', (systemFault(cause) ?? (cause as Error)).message);
  }
}

export type Missing = 'repository' | 'project' | 'pointer' | 'cycle' | 'workflow' | 'session-state' | 'contract';

const HINTS: Partial<Record<Missing, string>> = {
  contract: UNKNOWN_HINT,
  repository: 'Name another directory with --repo.',
};

export function contractNotFound(what: Missing, message: string): DevflowError {
  return new DevflowError('contract_not_found', message, { data: { what }, recoveryHint: HINTS[what] });
}

/** Throws `contract_in_use` if a run owns the directory: there only the daemon writes. */
export async function requireUnused(ports: Pick<ContractPorts, 'isInUse'>, directory: string): Promise<void> {
  if (!(await ports.isInUse(directory))) return;
  throw new DevflowError('contract_in_use', `${directory} is in the worktree of a run, and only devflow writes there.`);
}

/** True if a directory is one of these or below one. Links in the paths are resolved. */
export function isBelowAny(roots: readonly string[], directory: string): boolean {
  const path = realPath(directory);
  return roots.map(realPath).some((root) => path === root || path.startsWith(`${root}/`));
}

/** The path without links. A path that does not exist yet is below its nearest directory. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
