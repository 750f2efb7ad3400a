import { join } from 'node:path';
import { CYCLES } from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { withFileLock } from '../fileLock.ts';

/** A write takes milliseconds, so a lock this old is a defect of its holder. */
const PATIENCE_MS = 5000;

/** Runs `act` while no other process changes the cycle. The four agents of a cycle may report at the same time. */
export function withCycleLock<T>(repo: string, id: string, act: () => T): Promise<T> {
  const path = `${CYCLES}/.${id}.lock`;
  const refuse = (pid: number | undefined) => locked(id, join(repo, path), pid);
  return withFileLock({ repo, path, waitMs: PATIENCE_MS, refuse }, act);
}

function locked(id: string, path: string, holder: number | undefined): DevflowError {
  const who = holder === undefined ? 'Another process' : `Process ${holder}`;
  return new DevflowError('contract_in_use', `${who} is changing the cycle ${id}.`, {
    recoveryHint: `Try again. If no such process exists, remove ${path}.`,
    data: { pid: holder ?? null },
  });
}
