import type { Verdict } from '../../schemas/objective/measured.ts';
import { numberText, targetSentence } from '../../schemas/objective/words.ts';
import { VERDICT_STATES } from '../../schemas/states/evaluations.ts';
import { baseOf, bestOf, isMeasured, objectiveOf } from '../core/objective/measuring.ts';
import { own } from '../core/objective/values.ts';
import type { Evaluation } from '../core/run/evaluation.ts';
import type { Run } from '../core/run/state.ts';

/**
 * The facts of a measured loop for a person's decision, a line each. They are the state that goes on, base and best,
 * its targets, and the holdout. Nothing before the base is judged. Agents cannot read it while the run is open.
 */
export function measuredLines(run: Run): string[] {
  if (!run.objective || !isMeasured(run)) return [];
  const [base, best] = [baseOf(run), bestOf(run)];
  if (!base || !best) return [];
  const { metric, better } = objectiveOf(run).primary;
  const values = `${metric} (${better} is better): ${valueAt(base, metric)} at the base, ${valueAt(best, metric)} at best`;
  const { targets = [], guards = [] } = best.judgement ?? {};
  return [
    `Decided on: ${nameOf(best)}, commit ${best.commit.slice(0, 12)}`,
    values,
    ...targets.map((each) => verdictText('target', each)),
    ...guards.map((each) => verdictText('guard', each)),
    ...holdoutLines(run, best),
  ];
}

function holdoutLines(run: Run, best: Evaluation): string[] {
  if (!objectiveOf(run).splits.holdout) return [];
  const seen = run.evaluations.findLast(({ judgement }) => judgement?.holdout);
  if (!seen?.judgement?.holdout) return ['holdout: not opened'];
  const isOther = seen.id !== best.id;
  return [
    ...(isOther ? [`holdout: opened for ${nameOf(seen)}, and not for ${nameOf(best)}`] : []),
    ...seen.judgement.holdout.map((each) => verdictText('holdout', each)),
  ];
}

function verdictText(what: string, verdict: Verdict): string {
  return `${what} ${VERDICT_STATES[verdict.state].word}: ${targetSentence(verdict)}`;
}

function valueAt({ result }: Evaluation, metric: string): string {
  const value = result ? own(result.metrics, metric) : undefined;
  return value === undefined ? 'unknown' : numberText(value);
}

function nameOf({ iteration }: Evaluation): string {
  return iteration === 0 ? 'the base' : `iteration ${iteration}`;
}
