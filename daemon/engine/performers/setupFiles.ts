import type { PlacedPath, RefusedPath } from '../../../schemas/events/worktree.ts';
import { hashInside } from '../../../schemas/files/insideRoot.ts';
import { hash } from '../../../schemas/hash.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** One hash of the files at these paths. */
export async function inputsHash(worktree: string, again: readonly string[]): Promise<string> {
  return hash(again.map((path) => [path, hashInside(worktree, path, MOST_BYTES)]));
}

export async function placeFiles({
  setup,
}: {
  checkout: string;
  worktree: string;
  setup: WorktreeSetup;
  signal: AbortSignal;
}): Promise<{ placed: PlacedPath[]; refused: RefusedPath[]; commands: string[][] }> {
  return { placed: [], refused: [], commands: setup.commands.map(({ argv }) => argv) };
}

export async function putBack(_worktree: string): Promise<{ changed: string[]; excluded: string[] }> {
  return { changed: [], excluded: [] };
}
