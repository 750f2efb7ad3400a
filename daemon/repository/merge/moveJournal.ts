import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../git/repositoryFiles.ts';
import { type PrivateGit, replace } from '../privateGit/privateGit.ts';

const oid = z.string().regex(/^[0-9a-f]{40,64}$/);

/** The move of a worktree's files that devflow is about to make. The file stays until the move is done. */
const Move = z.object({
  /** The commit of the files before. */
  from: oid,
  /** The commit or tree of the files after. */
  to: oid,
  /** The branch moves as well, before the files. */
  movesBranch: z.boolean(),
});
export type Move = z.infer<typeof Move>;

const fileOf = ({ gitDir }: PrivateGit) => join(gitDir, 'move.json');

/** A move that was interrupted, if any. */
export async function readMove(privateGit: PrivateGit): Promise<Move | undefined> {
  const text = await readText(fileOf(privateGit));
  if (text === undefined) return undefined;
  try {
    return Move.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function writeMove(privateGit: PrivateGit, move: Move): Promise<void> {
  await replace(fileOf(privateGit), (fresh) => writeFile(fresh, JSON.stringify(move), { flush: true }));
}

export async function endMove(privateGit: PrivateGit): Promise<void> {
  await rm(fileOf(privateGit), { force: true });
}
