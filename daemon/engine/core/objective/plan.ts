import type { Part, Range } from '../../../../schemas/objective/objective.ts';
import type { Evaluation } from '../run/evaluation.ts';
import type { Run } from '../run/state.ts';
import { judgedPart, measurementsOf, objectiveOf } from './measuring.ts';
import { faultOf, holdoutVerdicts, isHoldoutSpent, reachesTargets, tamperedOf } from './verdictOf.ts';

export interface Planned {
  part: Part;
  range: Range | null;
}

/**
 * What the evaluation measures next, after everything that it has measured so far: the part in which losses are looked at, then the
 * judged one, again if the targets are reached, and the holdout at the very end. Undefined when nothing is left.
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
  const confirmed = evaluation.iteration === 0 ? first : first + repeat.confirm;
  // A confirmation that has begun is finished: to stop at the first bad value would favour chance.
  const isConfirming = isDone(judged, first + 1) && !isDone(judged, confirmed);
  if (isConfirming) return measure(judged);
  if (!reachesTargets(run, evaluation)) return undefined;
  if (!isDone(judged, confirmed)) return measure(judged);
  const isClosed = holdoutVerdicts(run, evaluation) === null && !isHoldoutSpent(run, evaluation);
  return splits.holdout && isClosed ? measure('holdout') : undefined;
}
