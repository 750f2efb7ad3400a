import type { Part, Range } from '../../../schemas/objective/objective.ts';
import { holdoutVerdicts, isHoldoutSpent } from '../../core/objective/holdout.ts';
import { judgedPart, measurementsOf, objectiveOf } from '../../core/objective/measuring.ts';
import { looksBetter, looksOf } from '../../core/objective/rank.ts';
import { faultOf, reachesTargets, rivalsOf, tamperedOf } from '../../core/objective/verdictOf.ts';
import { ranksByTargets } from '../../core/run/behaviour.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import type { Run } from '../../core/run/state.ts';

export interface Planned {
  part: Part;
  range: Range | null;
}

/**
 * The next measurement of an evaluation; undefined when nothing is left. First the part in which losses are studied, then the
 * judged part, again if it looks better. The holdout comes last, and only if the targets are reached.
 */
export function nextMeasurement(run: Run, evaluation: Evaluation): Planned | undefined {
  if (tamperedOf(run, evaluation).length > 0 || faultOf(run, evaluation) !== undefined) return undefined;
  const { splits, repeat } = objectiveOf(run);
  const judged = judgedPart(objectiveOf(run));
  const isDone = (part: Part, times: number) => measurementsOf(run, evaluation, part).length >= times;
  const measure = (part: Part): Planned => ({ part, range: part === 'all' ? null : (splits[part] ?? null) });
  if (splits.train && !isDone('train', 1)) return measure('train');
  const first = evaluation.iteration === 0 ? repeat.baseline : 1;
  if (!isDone(judged, first)) return measure(judged);
  const isAgain = ranksByTargets(run) ? isLookedAtAgain(run, evaluation) : isConfirmed(run, evaluation);
  if (isAgain) return measure(judged);
  if (!reachesTargets(run, evaluation)) return undefined;
  const isClosed = holdoutVerdicts(run, evaluation) === null && !isHoldoutSpent(run, evaluation);
  return splits.holdout && isClosed ? measure('holdout') : undefined;
}

/** A second look that has begun is finished: to stop at the first bad value would favour chance. */
function isLookedAtAgain(run: Run, evaluation: Evaluation): boolean {
  if (evaluation.iteration === 0) return false;
  const objective = objectiveOf(run);
  const part = judgedPart(objective);
  const looks = measurementsOf(run, evaluation, part).length;
  if (looks >= looksOf(objective)) return false;
  const mine = evaluation.measurements.filter((each) => each.part === part).length;
  const hasBegun = mine > (evaluation.sameAs === null ? 1 : 0);
  return hasBegun || looksBetter(objective, rivalsOf(run, evaluation));
}

/** In runs before behaviour 6: only what reaches the targets is measured again. */
function isConfirmed(run: Run, evaluation: Evaluation): boolean {
  const { repeat } = objectiveOf(run);
  const looks = measurementsOf(run, evaluation, judgedPart(objectiveOf(run))).length;
  const first = evaluation.iteration === 0 ? repeat.baseline : 1;
  const confirmed = evaluation.iteration === 0 ? first : first + repeat.confirm;
  const isConfirming = looks > first && looks < confirmed;
  return isConfirming || (looks < confirmed && reachesTargets(run, evaluation));
}
