import { hashInside } from '../../schemas/files/insideRoot.ts';
import { hash } from '../../schemas/hash.ts';
import type { SetupCommand } from '../../schemas/repository/worktreeSetup.ts';
import type { Placed } from './placeFiles.ts';

/** Larger than any lock file. */
const MOST_BYTES = 256 * 1024 * 1024;

/** What a set-up depends on: the bytes of these paths. A file that is missing or refused counts, too. */
export async function inputsHash(worktree: string, again: readonly string[]): Promise<string> {
  const inputs: [string, string | null][] = [];
  for (const path of [...new Set(again)].sort()) inputs.push([path, (await hashOf(worktree, path)) ?? null]);
  return hash(inputs);
}

/**
 * The commands that a worktree still needs. One is not needed if the directory that it would make was cloned whole, for the
 * same lock file.
 */
export async function commandsLeft(
  { checkout, worktree, placed }: { checkout: string; worktree: string; placed: Placed['placed'] },
  commands: readonly SetupCommand[],
): Promise<string[][]> {
  const left: string[][] = [];
  for (const { argv, unlessCloned } of commands) {
    const isMade =
      unlessCloned !== undefined &&
      placed.some(({ path, how, skipped }) => {
        return how === 'cloned' && path === unlessCloned.directory && skipped.length === 0;
      }) &&
      (await isSame(checkout, worktree, unlessCloned.lock));
    if (!isMade) left.push(argv);
  }
  return left;
}

async function isSame(checkout: string, worktree: string, path: string): Promise<boolean> {
  const there = await hashOf(checkout, path);
  return there !== undefined && there === (await hashOf(worktree, path));
}

async function hashOf(root: string, path: string): Promise<string | undefined> {
  const hashed = await hashInside(root, path, MOST_BYTES);
  return hashed.ok ? hashed.sha256 : undefined;
}
