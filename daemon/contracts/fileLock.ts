import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { readLock } from '../../schemas/contracts/stateDirectory/contract.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside, readInside } from '../../schemas/files/insideRoot.ts';
import { createInside, moveInside, removeInside } from '../../schemas/files/moveInside.ts';
import { pidExists } from '../../schemas/process/processes.ts';

const STEP_MS = 20;
const LONGEST_LOCK = 4096;

/** The locks of this process, by device and inode. Another one with its number is left over from an earlier process. */
const held = new Set<string>();

/** A file with the number of the process that may change something. */
export interface LockFile {
  repo: string;
  /** Relative to the repository; its directory must exist. */
  path: string;
  /** A living holder gets this long to release the lock. */
  waitMs: number;
  /** The refusal when the wait is over. Undefined: then the lock is taken, because nobody can say whose it is. */
  refuse(pid: number | undefined): DevflowError | undefined;
}

/** Holds a lock. That of a process that has ended is taken over, and only one's own is removed. */
export async function withFileLock<T>(lock: LockFile, use: () => T | Promise<T>): Promise<T> {
  const mine = await acquire(lock);
  try {
    return await use();
  } finally {
    held.delete(mine);
    if (isMine(lock, mine)) removeInside(lock.repo, lock.path);
  }
}

/** The number in the file counts too. A file system gives the inode of a removed file to the next one. */
function isMine(lock: LockFile, mine: string): boolean {
  const facts = factsOf(lock);
  return facts !== undefined && identityOf(facts) === mine && readHolder(lock) === process.pid;
}

async function acquire(lock: LockFile): Promise<string> {
  const { repo, path, waitMs, refuse } = lock;
  for (let waited = 0; ; ) {
    const made = createInside(repo, path, `${process.pid}`);
    if (made.ok) {
      const mine = identityOf(factsOf(lock) as Stats);
      // Before anything is awaited: another caller in this process must see that the lock is held.
      held.add(mine);
      return mine;
    }
    if (made.code !== 'EEXIST') throw unusable(path, made.fault);
    const facts = factsOf(lock);
    if (!facts) continue;
    if (!facts.isFile()) throw unusable(path, 'it is not a regular file');
    const pid = readHolder(lock);
    if (pid !== undefined && isLeftOver(pid, facts)) {
      takeAway(lock, facts);
      continue;
    }
    if (waited >= waitMs) {
      const refusal = refuse(pid);
      if (refusal) throw refusal;
      takeAway(lock, facts);
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    waited += STEP_MS;
  }
}

/** Its process may have just made it, so a lock without a number is believed until the wait is over. */
function readHolder({ repo, path }: LockFile): number | undefined {
  const read = readInside(repo, path, LONGEST_LOCK);
  return read.ok ? readLock(read.bytes.toString('utf8')) : undefined;
}

function isLeftOver(pid: number, facts: Stats): boolean {
  return pid === process.pid ? !held.has(identityOf(facts)) : !pidExists(pid);
}

/** Removes a lock under another name, so that of two processes only one takes it. */
function takeAway(lock: LockFile, seen: Stats): void {
  const { repo, path } = lock;
  const aside = `${dirname(path)}/.lock.${randomUUID()}.tmp`;
  if (!moveInside(repo, path, aside).ok) return;
  const moved = lookInside(repo, aside);
  // Another process was faster, and this is its new lock.
  if (moved.ok && identityOf(moved.facts) !== identityOf(seen) && !factsOf(lock)) moveInside(repo, aside, path);
  else removeInside(repo, aside);
}

function factsOf({ repo, path }: LockFile): Stats | undefined {
  const found = lookInside(repo, path);
  return found.ok ? found.facts : undefined;
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function unusable(path: string, fault: string): DevflowError {
  return new DevflowError('path_unsafe', `devflow cannot make ${path}: ${fault}.`);
}
