import { DevflowError } from '../../../errors.ts';
import { makePlan, type Plan } from '../../report/plan.ts';
import type { TreeSnapshot } from '../../report/tree.ts';
import { textOf } from '../../report/tree.ts';
import { contractOf, pathIn } from '../document/contract.ts';
import { checkSessionState } from './sessionState.ts';

export type FileState = 'found' | 'removed' | 'not found';

export interface CleanupPlan extends Plan {
  files: { state: FileState; prompt: FileState };
}

/**
 * The plan to remove a session state and its prompt. Throws `handover_cleanup_refused` unless the state is valid and completed.
 * An absent state was removed before: then only the prompt is left.
 */
export function planCleanup(tree: TreeSnapshot, project: string, subject = project): CleanupPlan {
  const paths = { state: pathIn(project, 'session-state'), prompt: pathIn(project, 'session-prompt') };
  const state = textOf(tree, paths.state);
  if (state.ok || !state.isMissing) {
    const { valid, errors, parsed } = checkSessionState(state, paths.state);
    const status = parsed?.status ?? null;
    if (!valid || status !== 'completed') throw refused(valid, status, errors);
  }
  const found = Object.values(paths).filter((path) => tree.entries.has(path));
  const plan = makePlan(
    contractOf('session-state'),
    subject,
    found.map((path) => ({
      action: 'remove',
      path,
      reason: 'completed',
      bytes: tree.entries.get(path)?.size ?? 0,
    })),
  );
  const isFound = (path: string) => (tree.entries.has(path) ? 'found' : 'not found');
  return { ...plan, files: { state: isFound(paths.state), prompt: isFound(paths.prompt) } };
}

function refused(valid: boolean, status: unknown, errors: readonly object[]): DevflowError {
  const why = valid ? `its status is ${status}, not completed` : 'it is not valid';
  return new DevflowError('handover_cleanup_refused', `The session state is kept, because ${why}.`, {
    data: { status: typeof status === 'string' ? status : null, errors },
  });
}
