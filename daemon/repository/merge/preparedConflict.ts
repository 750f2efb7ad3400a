import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../git/repositoryFiles.ts';
import { type PrivateGit, replace } from '../privateGit/privateGit.ts';

/** A conflict whose files devflow put into a worktree. All changes there are work on it, until it is committed. */
const Prepared = z.object({
  head: z.string(),
  onto: z.string(),
  attempt: z.string(),
  /** devflow has begun to restore the files, so not all changes are work. */
  isEnding: z.boolean().optional(),
});
export type Prepared = z.infer<typeof Prepared>;

const fileOf = ({ gitDir }: PrivateGit) => join(gitDir, 'conflict.json');

export async function readPrepared(privateGit: PrivateGit): Promise<Prepared | undefined> {
  const text = await readText(fileOf(privateGit));
  if (text === undefined) return undefined;
  try {
    return Prepared.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function writePrepared(privateGit: PrivateGit, prepared: Prepared): Promise<void> {
  await replace(fileOf(privateGit), (fresh) => writeFile(fresh, JSON.stringify(prepared), { flush: true }));
}

export async function endPrepared(privateGit: PrivateGit): Promise<void> {
  await rm(fileOf(privateGit), { force: true });
}
