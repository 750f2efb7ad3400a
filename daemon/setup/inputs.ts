import { hashInside } from '../../schemas/files/insideRoot.ts';
import { hash } from '../../schemas/hash.ts';
import type { SetupCommand } from '../../schemas/repository/worktreeSetup.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import type { Placed } from './placeFiles.ts';
import { keepSetupState, readSetupState } from './setupState.ts';

/** Larger than any lock file. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Identifies the inputs of a set-up: the bytes of these paths. A file that is missing or refused counts, too. */
export async function inputsHash(worktree: string, again: readonly string[]): Promise<string> {
  const inputs: [string, string | null][] = [];
  for (const path of [...new Set(again)].sort()) inputs.push([path, (await hashOf(worktree, path)) ?? null]);
  return hash(inputs);
}

/**
 * The commands that a worktree still needs. One is not needed if its directory was cloned whole, for the lock file that the
 * worktree has now. A command that runs makes the directory another one.
 */
export async function commandsLeft(
  privateGit: Pick<PrivateGit, 'gitDir' | 'path' | 'repoPath'>,
  placed: Placed['placed'],
  commands: readonly SetupCommand[],
): Promise<string[][]> {
  const left: string[][] = [];
  const clonedFor = { ...(await readSetupState(privateGit)).clonedFor };
  for (const { argv, unlessCloned } of commands) {
    const isMade =
      unlessCloned && isWhole(placed, unlessCloned.directory) && (await isFor(privateGit, unlessCloned, clonedFor));
    if (!isMade) left.push(argv);
    if (!isMade && unlessCloned) clonedFor[unlessCloned.directory] = null;
  }
  await keepSetupState(privateGit, { clonedFor });
  return left;
}

function isWhole(placed: Placed['placed'], directory: string): boolean {
  return placed.some(({ path, how, skipped }) => how === 'cloned' && path === directory && skipped.length === 0);
}

/** Notes for which lock file a new clone is good. Later the checkout may have another one. */
async function isFor(
  { repoPath, path: worktree }: Pick<PrivateGit, 'path' | 'repoPath'>,
  { directory, lock }: { directory: string; lock: string },
  clonedFor: Record<string, string | null>,
): Promise<boolean> {
  const here = await hashOf(worktree, lock);
  clonedFor[directory] ??= directory in clonedFor ? null : ((await hashOf(repoPath, lock)) ?? null);
  return here !== undefined && clonedFor[directory] === here;
}

async function hashOf(root: string, path: string): Promise<string | undefined> {
  const hashed = await hashInside(root, path, MOST_BYTES);
  return hashed.ok ? hashed.sha256 : undefined;
}
