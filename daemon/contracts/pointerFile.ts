import { dirname, join } from 'node:path';
import { POINTER_FILE, type Pointer } from '../../schemas/contracts/autodev/pointer.ts';
import { type PointerReading, readPointer } from '../../schemas/contracts/autodev/readPointer.ts';
import { updatePointer } from '../../schemas/contracts/autodev/updatePointer.ts';
import { textOf } from '../../schemas/contracts/report/tree.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside, makeInside } from '../../schemas/files/insideRoot.ts';
import { withFileLock } from './fileLock.ts';
import { readTree } from './readTree.ts';
import { writeWhole } from './writeWhole.ts';

const LOCK = '_docs/.autodev.lock';
/** A write takes milliseconds, so a lock this old is a defect of its holder. */
const PATIENCE_MS = 5000;

/** Runs `change` while no other process changes the pointer. */
export function withPointerLock<T>(repo: string, change: () => T): Promise<T> {
  const made = makeInside(repo, dirname(POINTER_FILE), 0o755);
  if (!made.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${POINTER_FILE}: ${made.fault}.`);
  const refuse = (pid: number | undefined) => locked(join(repo, LOCK), pid);
  return withFileLock({ repo, path: LOCK, waitMs: PATIENCE_MS, refuse }, change);
}

function locked(path: string, holder: number | undefined): DevflowError {
  const who = holder === undefined ? 'Another process' : `Process ${holder}`;
  return new DevflowError('contract_in_use', `${who} is changing ${POINTER_FILE}.`, {
    recoveryHint: `Try again. If no such process exists, remove ${path}.`,
    data: { pid: holder ?? null },
  });
}

/** Reads the pointer of a repository. */
export function readPointerFile(repo: string, now: number): PointerReading {
  return readPointer(textOf(readTree(repo, [{ path: POINTER_FILE }], now), POINTER_FILE));
}

/** Writes the pointer whole. Throws `path_unsafe` if something else than a file is in its place. */
export function writePointerFile(repo: string, pointer: Pointer, now: number): void {
  const found = lookInside(repo, POINTER_FILE);
  if (found.ok && !found.facts.isFile()) {
    throw new DevflowError('path_unsafe', `devflow cannot write ${POINTER_FILE}: it is not a regular file.`);
  }
  const old = textOf(readTree(repo, [{ path: POINTER_FILE }], now), POINTER_FILE);
  writeWhole(repo, POINTER_FILE, updatePointer(old.ok ? old.text : undefined, pointer));
}
