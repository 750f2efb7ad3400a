import { existsSync } from 'node:fs';
import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { isEvaluationBegun, setUpEvaluation, tearDownEvaluation } from '../../../engine/performers/setUpEvaluation.ts';
import { makeEvaluationPlace } from '../../../measure/objective/evaluationPlace.ts';
import { changedPaths } from '../../../repository/change/changedPaths.ts';
import { readWorktree } from '../../../repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../../repository/worktree/restoreWorktree.ts';
import { protectionOf } from './protection.ts';

/** A gate has room for so many. */
const MOST_TOUCHED = 20;

/** Reads what an evaluation measures, and what was changed that must not be. */
export const inspectEvaluation: Performer<'inspectEvaluation'> = async (effect, ports, signal) => {
  const { runId, phaseId, attempt, lane, since, files, metrics, apart } = effect;
  const { filters } = ports.config.git;
  await keepWorktree(runId, lane, ports);
  await registerWorktree({ ...lane, filters });
  const { head: commit, tree } = await readWorktree({ ...lane, lastKnown: lane.startCommit });
  // First, because they could write into the new place.
  if (apart) await ports.sessions.endLeftovers(runId);
  if (apart) {
    const at = { ...apart, commit };
    const isBegun = await isEvaluationBegun({ runId, lane }, at);
    if (!isBegun) {
      await tearDownEvaluation({ runId, lane }, at, ports);
      await makeEvaluationPlace({ ...lane, ...apart }, { commit, filters });
    }
    await setUpEvaluation({ runId, lane }, { ...at, signal }, ports);
  }
  const protection = await protectionOf(lane, files, apart);
  const changed = since === null ? [] : await changedPaths(lane, since, commit);
  const touched = changed.flatMap((path) => {
    const fault = protection.faultOf(path);
    return fault === undefined ? [] : [`${path} ${fault}`];
  });
  // Only devflow makes this directory, and not before the first measurement.
  if (existsSync(metrics)) touched.unshift(`${metrics} was there before the command ran`);
  ports.faults.at('inspectEvaluation.after_read');
  return {
    type: 'evaluationInspected',
    phaseId,
    attempt,
    commit,
    tree,
    protectedHash: await protection.hash(),
    touched: touched.slice(0, MOST_TOUCHED),
  };
};
