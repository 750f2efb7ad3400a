import { mkdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevflowError } from '../../../schemas/errors.ts';
import { readSettingsText } from '../../../schemas/files/openRegular.ts';
import { pidExists } from '../../../schemas/process/processes.ts';

/** initdb and a start take about 1 s. The pid in an older lock belongs to another process. */
const STALE_MS = 120_000;
const POLL_MS = 10;

/**
 * Runs `work` while no other devflow creates or starts the same cluster. Takes over the lock of a dead process. Throws
 * `db_unreachable` after STALE_MS.
 */
export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + STALE_MS;
  while (!tryTake(path)) {
    if (performance.now() > deadline) {
      throw new DevflowError(
        'db_unreachable',
        `Another devflow has held the start lock of this database for ${STALE_MS / 1000} s.`,
        {
          recoveryHint: `If no other devflow is starting, remove ${path}.`,
        },
      );
    }
    if (isStale(path)) removeStale(path);
    else await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryTake(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(path: string): boolean {
  try {
    const pid = Number(readSettingsText(path));
    const age = ageOf(statSync(path).mtimeMs);
    // The file is empty just after its creation, so it is not stale during its first second.
    return pid > 0 ? !pidExists(pid) || age > STALE_MS : age > 1000;
  } catch {
    return false;
  }
}

/** A time in the future is from before the clock was set back, so it is not fresh either. */
function ageOf(mtimeMs: number): number {
  return Math.abs(Date.now() - mtimeMs);
}

/** Removes a dead lock. Only one waiter may, and it checks again first: another may hold a new lock. */
function removeStale(path: string): void {
  const turn = `${path}.turn`;
  try {
    mkdirSync(turn, { mode: 0o700 });
  } catch {
    const left = statSync(turn, { throwIfNoEntry: false });
    if (left !== undefined && ageOf(left.mtimeMs) > 1000) rmSync(turn, { recursive: true, force: true });
    return;
  }
  if (isStale(path)) rmSync(path, { force: true });
  rmdirSync(turn);
}
