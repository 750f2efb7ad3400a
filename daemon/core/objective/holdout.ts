import type { Verdict } from '../../../schemas/objective/measured.ts';
import { reopensHoldout } from '../run/behaviour.ts';
import type { Evaluation } from '../run/evaluation.ts';
import type { Run } from '../run/state.ts';
import { evaluate, isMet } from './evaluate.ts';
import { measurementsOf, objectiveOf } from './measuring.ts';
import type { StopFacts } from './stopNext.ts';
import { summarise } from './values.ts';

/** On the holdout; null while it is closed for the evaluation. */
export function holdoutVerdicts(run: Run, evaluation: Evaluation): Verdict[] | null {
  const measured = measurementsOf(run, evaluation, 'holdout');
  return measured.length === 0 ? null : evaluate(objectiveOf(run).targets, summarise(measured));
}

/** True if another evaluation has measured the holdout, and no person granted more iterations since. */
export function isHoldoutSpent(run: Run, evaluation: Evaluation): boolean {
  return spentBy(run, evaluation) !== undefined;
}

/** The verdict of the holdout about the evaluation. */
export function holdoutStateOf(run: Run, evaluation: Evaluation): StopFacts['holdout'] {
  const own = holdoutVerdicts(run, evaluation);
  if (own) return isMet(objectiveOf(run), own) ? 'met' : 'missed';
  const spent = spentBy(run, evaluation);
  if (!spent) return 'closed';
  if (reopensHoldout(run)) return 'spent';
  // Before behaviour 6, what an earlier evaluation saw counted for all later ones.
  return isMet(objectiveOf(run), holdoutVerdicts(run, spent) ?? []) ? 'met' : 'missed';
}

function spentBy(run: Run, { id, iteration }: Evaluation): Evaluation | undefined {
  const since = reopensHoldout(run) ? grantedAt(run, iteration) : 0;
  return run.evaluations.findLast(
    (each) =>
      each.id !== id &&
      each.iteration >= since &&
      each.measurements.some(({ part, measurement }) => part === 'holdout' && isSeen(run, measurement.fault)),
  );
}

/** A measurement that failed showed nothing of the holdout. */
const isSeen = (run: Run, fault: string | null) => !reopensHoldout(run) || fault === null;

/** The first iteration since a person granted more. */
function grantedAt({ iterations }: Run, nth: number): number {
  return iterations.findLast((each) => each.extension !== null && each.nth <= nth)?.nth ?? 0;
}
