import { DevflowError } from '../../../schemas/errors.ts';
import type { FilesWritten } from '../../events/worktreeProgress.ts';
import { addWorktree } from '../../harness/worktree/addWorktree.ts';
import { bindAll } from '../core/binding/binding.ts';
import { headOfRun } from '../core/review/reviewOf.ts';
import type { Performer } from './performer.ts';

/** Binds a persona to every role and creates the run's worktree, before the first phase. */
export const lockBindings: Performer<'lockBindings'> = async (
  { runId },
  { runLog, definitions, config, faults, worktrees },
) => {
  const run = await runLog.readRun(runId);
  if (!run) throw new DevflowError('internal_state_corruption', `Run ${runId} has no log.`, { runId });
  const { template, templateHash, overrides, worktreeRoot, repoPath } = run;
  const personas = await definitions.listPersonas();
  const bindings = bindAll({ runId, template, templateHash, personas, backends: config.backends, overrides }, runId);
  faults.at('lockBindings.before_worktree');
  const branch = `devflow/${runId}/main`;
  const { filters } = config.git;
  const onProgress = (files: FilesWritten) => worktrees.report(runId, files);
  await addWorktree({ repoPath, path: worktreeRoot, branch, startCommit: headOfRun(run), filters, onProgress }).finally(
    () => worktrees.end(runId),
  );
  faults.at('lockBindings.after_worktree');
  return { type: 'bindingsLocked', bindings, branch };
};
