import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import { type CleanupPlan, type FileState, planCleanup } from '../../../schemas/contracts/handover/session/cleanup.ts';
import type { PlannedAction } from '../../../schemas/contracts/report/plan.ts';
import { inDirectory } from '../../../schemas/files/insideRoot.ts';
import { type ContractPorts, requireUnused } from '../contractPorts.ts';
import { type NamedPath, wholePath } from './namedPath.ts';
import { readProject } from './readProject.ts';

/** Removes the session state and the prompt of a completed session. Without `apply` it only lists them. */
export async function cleanUp(
  ports: ContractPorts,
  place: NamedPath,
  subject: string,
  apply: boolean,
): Promise<CleanupPlan> {
  const plan = () => planCleanup(readProject(place, ports.now()), place.shown, subject);
  const planned = plan();
  if (!apply) return planned;
  if (planned.actions.length > 0) await requireUnused(ports, wholePath(place));
  const latest = plan();
  const actions = latest.actions.map((action): PlannedAction => {
    return { ...action, status: remove(place, action.path) ? 'done' : 'error' };
  });
  const stateOf = (path: string, before: FileState): FileState =>
    actions.some((action) => action.path === path && action.status === 'done') ? 'removed' : before;
  const files = {
    state: stateOf(pathIn(place.shown, 'session-state'), latest.files.state),
    prompt: stateOf(pathIn(place.shown, 'session-prompt'), latest.files.prompt),
  };
  return { ...latest, applied: true, actions, files };
}

/** Removes a file, or a link itself. */
function remove({ root, path, shown }: NamedPath, removed: string): boolean {
  const below = shown === '' ? removed : removed.slice(shown.length + 1);
  return inDirectory(root, `${path}/${below}`, null, (directory, name) => {
    unlinkSync(join(directory, name));
    return { ok: true };
  }).ok;
}
