import { defined } from '../../../schemas/defined.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { runDir } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { bindAll } from '../../core/binding/binding.ts';
import { fromBase } from '../../core/evolve/evolveRun.ts';
import { placeOf } from '../../core/run/lanes.ts';
import type { Run } from '../../core/run/state.ts';
import { keepExamples } from '../../definitions/factory/draft.ts';
import type { FilesWritten } from '../../events/worktreeProgress.ts';
import { lookAtCheckout } from '../../repository/change/lookAtCheckout.ts';
import { createGit } from '../../repository/git/git.ts';
import { addWorktree } from '../../repository/worktree/addWorktree.ts';
import { checkoutDetached } from '../../repository/worktree/detachedWorktree.ts';
import { personasFor } from '../../store/definitions.ts';
import type { Performer } from './performer.ts';

/** Binds a persona to every role and creates the run's worktree, before the first phase. */
export const lockBindings: Performer<'lockBindings'> = async (
  { runId },
  { runLog, definitions, config, faults, worktrees },
) => {
  const run = await runLog.readRun(runId);
  if (!run) throw new DevflowError('internal_state_corruption', `Run ${runId} has no log.`, { runId });
  const { template, templateHash, overrides } = run;
  const { brought } = run;
  const personas = await personasFor(brought, definitions);
  // The start of this daemon has removed them if no run was bound to them yet.
  if (brought) await definitions.keepDrafts(brought);
  if (brought) keepExamples(runDir(run.workspaceRoot, runId), brought);
  const bindings = bindAll({ runId, template, templateHash, personas, backends: config.backends, overrides }, runId);
  faults.at('lockBindings.before_worktree');
  const base = await baseNow(run);
  const place = placeOf(fromBase(run, base), MAIN);
  const onProgress = (files: FilesWritten) => worktrees.report(runId, files);
  const input = { ...place, filters: config.git.filters, onProgress };
  const made = (): Promise<unknown> => {
    if (place.isCheckout) return lookAtCheckout(place.path);
    return place.isDetached ? checkoutDetached({ ...input, commit: place.startCommit }) : addWorktree(input);
  };
  await made().finally(() => worktrees.end(runId));
  faults.at('lockBindings.after_worktree');
  return { type: 'bindingsLocked', bindings, branch: place.branch, ...defined({ base }) };
};

/**
 * The commit of the base branch, for a run that waited for another one. A branch that an interrupted try has made says where it
 * began. Undefined: the run begins where its creation said.
 */
async function baseNow(run: Run): Promise<string | undefined> {
  if (run.after === null || run.reviewHead !== null) return undefined;
  const git = createGit();
  const { branch } = placeOf(run, MAIN);
  const made = branch === '' ? undefined : await git.resolveBranch(run.repoPath, branch).catch(unlessMissing);
  return (made ?? (await git.resolveBranch(run.repoPath, run.baseBranch))).commit;
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof DevflowError && error.code === 'branch_missing') return undefined;
  throw error;
}
