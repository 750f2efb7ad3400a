import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../git/repositoryFiles.ts';
import { replace } from '../lane/lane.ts';
import type { Checkout } from './checkout.ts';
import { applyDirectory } from './indexCopy.ts';

type Place = Pick<Checkout, 'gitDir'>;

/** What devflow is about to do to a checkout. It lies in the checkout's git directory until that is done. */
const Journal = z.object({
  /** Also in the lock, by which devflow knows its own. */
  token: z.string(),
  /** The process that does it. */
  daemon: z.object({ pid: z.number().int(), startTime: z.string() }),
  branch: z.string(),
  from: z.string().regex(/^[0-9a-f]{40,64}$/),
  to: z.string().regex(/^[0-9a-f]{40,64}$/),
});
export type Journal = z.infer<typeof Journal>;

const fileOf = (checkout: Place) => join(applyDirectory(checkout), 'journal.json');

/** What an apply that was cut short left; undefined if there is none. */
export async function readJournal(checkout: Place): Promise<Journal | undefined> {
  const text = await readText(fileOf(checkout));
  if (text === undefined) return undefined;
  try {
    return Journal.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function writeJournal(checkout: Place, journal: Journal): Promise<void> {
  await mkdir(applyDirectory(checkout), { recursive: true, mode: 0o700 });
  await replace(fileOf(checkout), (fresh) => writeFile(fresh, JSON.stringify(journal), { flush: true }));
}

/** git's lock of the index. */
export const lockOf = ({ gitDir }: Place) => join(gitDir, 'index.lock');

export async function holdsLock(checkout: Place, token: string): Promise<boolean> {
  return (await readFile(lockOf(checkout), 'utf8').catch(() => undefined)) === token;
}

/** Lets other git processes go on. The lock of another one stays. */
export async function releaseLock(checkout: Place, { token }: Journal): Promise<void> {
  if (await holdsLock(checkout, token)) await rm(lockOf(checkout), { force: true });
}

/** Lets go of the lock first: without the journal nobody would know whose it is. */
export async function endJournal(checkout: Place, journal: Journal): Promise<void> {
  await releaseLock(checkout, journal);
  await rm(applyDirectory(checkout), { recursive: true, force: true });
}
