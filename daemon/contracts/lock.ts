import { LOCK_FILE } from '../../schemas/contracts/stateDirectory/contract.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { withFileLock } from './fileLock.ts';

const WAIT_MS = 3000;

/** Holds the lock of a state directory, which must exist. A living holder is waited for; then it is `state_locked`. */
export function withLock<T>(repo: string, use: () => T | Promise<T>, waitMs = WAIT_MS): Promise<T> {
  return withFileLock({ repo, path: LOCK_FILE, waitMs, refuse }, use);
}

function refuse(pid: number | undefined): DevflowError | undefined {
  if (pid === undefined) return undefined;
  return new DevflowError('state_locked', `The state directory is locked by the process ${pid}.`, { data: { pid } });
}
