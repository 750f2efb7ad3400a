import type { TreeSnapshot, Wanted } from '../../schemas/contracts/report/tree.ts';
import { CONFIG_FILE, STATE_DIR, WORKFLOW_FILE } from '../../schemas/contracts/stateDirectory/contract.ts';
import { findWorkflow } from '../../schemas/contracts/stateDirectory/findWorkflow.ts';
import { WANTED_NAMES } from '../../schemas/contracts/stateDirectory/stateEntries.ts';
import type { WorkflowText } from '../../schemas/contracts/stateDirectory/workflowFile.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside } from '../../schemas/files/insideRoot.ts';
import { makeNewInside } from '../../schemas/files/moveInside.ts';

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
