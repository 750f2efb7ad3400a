import type { TreeSnapshot, Wanted } from '../../schemas/contracts/report/tree.ts';
import { CONFIG_FILE, LOCK_FILE, STATE_DIR, WORKFLOW_FILE } from '../../schemas/contracts/stateDirectory/contract.ts';
import { findWorkflow } from '../../schemas/contracts/stateDirectory/findWorkflow.ts';
import { WANTED_NAMES } from '../../schemas/contracts/stateDirectory/stateEntries.ts';
import type { WorkflowText } from '../../schemas/contracts/stateDirectory/workflowFile.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside } from '../../schemas/files/insideRoot.ts';
import { makeNewInside } from '../../schemas/files/moveInside.ts';
import { withFileLock } from './fileLock.ts';

/** Plans read names and times, the workflow, and the number of snapshots to keep. */
export const WANTED_FOR_PLANS: readonly Wanted[] = [...WANTED_NAMES, { path: WORKFLOW_FILE }, { path: CONFIG_FILE }];

/** True if a repository has a state directory. A link counts as none. */
export function hasStateDirectory(repo: string): boolean {
  return isDirectory(repo, STATE_DIR);
}

/** Makes the state directory if it is missing. */
export function makeStateDirectory(repo: string): void {
  for (const path of ['.devt', STATE_DIR]) makeDirectory(repo, path);
}

/** Makes one directory if it is missing. Throws `path_unsafe` if something else has its name. */
export function makeDirectory(repo: string, path: string): void {
  const made = makeNewInside(repo, path);
  if (made.ok || (made.code === 'EEXIST' && isDirectory(repo, path))) return;
  const fault = made.code === 'EEXIST' ? 'something else than a directory has this name' : made.fault;
  throw new DevflowError('path_unsafe', `devflow cannot make the directory ${path}: ${fault}.`);
}

/** The workflow; without fields if there is none. Throws `contract_invalid` if it cannot be read. */
export function requireWorkflow(tree: TreeSnapshot): WorkflowText {
  const found = findWorkflow(tree);
  if (found.is === 'read') return found.workflow;
  if (found.is === 'missing') return { fields: [], values: new Map() };
  throw new DevflowError('contract_invalid', found.fault.message, { data: { errors: [found.fault] } });
}

function isDirectory(repo: string, path: string): boolean {
  const found = lookInside(repo, path);
  return found.ok && found.facts.isDirectory();
}

const WAIT_MS = 3000;

/** Holds the lock of a state directory, which must exist. A living holder is waited for; then it is `state_locked`. */
export function withLock<T>(repo: string, use: () => T | Promise<T>, waitMs = WAIT_MS): Promise<T> {
  return withFileLock({ repo, path: LOCK_FILE, waitMs, refuse }, use);
}

function refuse(pid: number | undefined): DevflowError | undefined {
  if (pid === undefined) return undefined;
  return new DevflowError('state_locked', `The state directory is locked by the process ${pid}.`, { data: { pid } });
}
