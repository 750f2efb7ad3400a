import { derivedId } from '../../../schemas/ids.ts';
import { worktreeEnvironment } from '../../../schemas/repository/variables.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import type { EvaluationPlace } from '../../kinds/evaluate/effect.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { NO_BRANCH } from '../../repository/worktree/detachedWorktree.ts';
import { setupVariables } from '../../setup/setUpDirectly.ts';
import type { PerformerPorts } from './performer.ts';
import { assertSetUp, isSettingUp, setUpPlace, takenPorts } from './setUpPlace.ts';
import { tearDownSetup } from './tearDownPlace.ts';

type At = EvaluationPlace & { commit: string };

/** Sets up the place in which devflow measures, if it is to be set up. Throws if a set-up that is no guess failed. */
export async function setUpEvaluation(
  { runId, lane }: { runId: string; lane: LanePlace },
  { setup, signal, ...at }: At & { signal: AbortSignal },
  ports: PerformerPorts,
): Promise<void> {
  if (!setup) return;
  const end = await setUpPlace({ place: placeOf(lane, at), setup, id: idOf(runId, at), signal }, ports);
  assertSetUp(setup, end, 'the worktree for measurements');
}

/** Before the place is made anew for another commit: ends what its set-up started, and gives its ports back. */
export async function tearDownEvaluation(
  { runId, lane }: { runId: string; lane: LanePlace },
  { setup, ...at }: At,
  { log }: Pick<PerformerPorts, 'log'>,
): Promise<void> {
  if (setup) await tearDownSetup({ runId, name: 'evaluation', place: placeOf(lane, at), setup }, log);
}

/** True if the set-up of the place has begun for this commit, and may still run. */
export async function isEvaluationBegun(
  { runId, lane }: { runId: string; lane: LanePlace },
  { setup, ...at }: At,
): Promise<boolean> {
  return setup !== undefined && isSettingUp(placeOf(lane, at), idOf(runId, at));
}

function idOf(runId: string, { commit }: Pick<At, 'commit'>): string {
  return derivedId('setup', runId, 'evaluation', commit);
}

/** The variables of the set-up for the command that measures. */
export async function evaluationVariables(
  lane: LanePlace,
  { setup, ...at }: At,
  { openRuns }: Pick<PerformerPorts, 'openRuns'>,
): Promise<Record<string, string>> {
  if (!setup) return {};
  // It is made again before the command starts.
  if (!(await isDirectory(at.worktree))) return worktreeEnvironment(setup.setup.env, setup.names);
  const privateGit = await openPrivateGit(placeOf(lane, at));
  const variables = await setupVariables(privateGit, setup.setup, takenPorts(openRuns()));
  return worktreeEnvironment(setup.setup.env, { ...variables, ...setup.names });
}

function placeOf({ repoPath }: LanePlace, { worktree, commit }: At) {
  return { repoPath, path: worktree, branch: NO_BRANCH, head: commit };
}
