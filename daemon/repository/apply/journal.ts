import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { orElse } from '../../../schemas/orElse.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { readText } from '../git/repositoryFiles.ts';
import { replace } from '../privateGit/keepFiles.ts';
import { locked } from './refusals.ts';

type HasGitDir = Pick<Checkout, 'gitDir'>;

/**
 * The changes that an apply is about to make. The file stays in the checkout's git directory until the apply is done.
 */
const Journal = z.object({
  /** Also the content of git's lock, so that devflow recognizes its own. */
  token: z.string(),
  /** The process that applies. */
  daemon: z.object({ pid: z.number().int(), startTime: z.string() }),
  branch: z.string(),
  from: z.string().regex(/^[0-9a-f]{40,64}$/),
  to: z.string().regex(/^[0-9a-f]{40,64}$/),
});
export type Journal = z.infer<typeof Journal>;

/** devflow's own files during an apply. */
export function applyDirectory({ gitDir }: HasGitDir): string {
  return join(gitDir, 'devflow-apply');
}

const fileOf = (checkout: HasGitDir) => join(applyDirectory(checkout), 'journal.json');

/** The journal of an apply that is running or was interrupted. */
export async function readJournal(checkout: HasGitDir): Promise<Journal | undefined> {
  const text = await readText(fileOf(checkout));
  if (text === undefined) return undefined;
  return orElse(() => Journal.parse(JSON.parse(text)));
}

export async function writeJournal(checkout: HasGitDir, journal: Journal): Promise<void> {
  await mkdir(applyDirectory(checkout), { recursive: true, mode: 0o700 });
  await replace(fileOf(checkout), (fresh) => writeFile(fresh, JSON.stringify(journal), { flush: true }));
}

/** git's lock of the index. */
const lockOf = ({ gitDir }: HasGitDir) => join(gitDir, 'index.lock');

async function holdsLock(checkout: HasGitDir, token: string): Promise<boolean> {
  return (await readFile(lockOf(checkout), 'utf8').catch(() => undefined)) === token;
}

/** Takes git's lock of the index, or keeps it. A hard link is atomic: the lock is never there without its content. */
export async function takeLock(checkout: HasGitDir, { token }: Journal): Promise<void> {
  const file = join(applyDirectory(checkout), 'lock');
  await writeFile(file, token);
  try {
    await link(file, lockOf(checkout));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!(await holdsLock(checkout, token))) throw locked(checkout.gitDir);
  }
  await rm(file);
}

/** Releases git's lock. The lock of another process stays. */
export async function releaseLock(checkout: HasGitDir, { token }: Journal): Promise<void> {
  if (await holdsLock(checkout, token)) await rm(lockOf(checkout), { force: true });
}

/** Releases the lock first: without the journal, nobody would know whose lock it is. */
export async function endJournal(checkout: HasGitDir, journal: Journal): Promise<void> {
  await releaseLock(checkout, journal);
  await rm(applyDirectory(checkout), { recursive: true, force: true });
}
