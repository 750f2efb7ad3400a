import { MEASURED } from '../../../schemas/definitions/exchange.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import type { Measurement } from '../../../schemas/objective/measured.ts';
import type { Measure, Objective, Part } from '../../../schemas/objective/objective.ts';
import { type ObjectiveDocument, readObjective } from '../../../schemas/objective/readObjective.ts';
import type { Evaluation } from '../run/evaluation.ts';
import { isInIteration, iterationOf } from '../run/iterations.ts';
import { commandsOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';

/** True if the run repeats its phases until measurements meet its objective. */
export function isMeasured({ template }: Pick<Run, 'template'>): boolean {
  return template.iterate?.until === MEASURED;
}

/** The objective of a measured run. It was checked at the start. */
export function objectiveOf(run: Run): Objective {
  if (!isMeasured(run) || run.objective === null) throw new TypeError(`run ${run.id} has no objective to measure`);
  return readObjective(run.objective as ObjectiveDocument);
}

/** The command that measures: the objective's, or the one of the phase that ends an iteration. */
export function measureOf(run: Run): Measure {
  const { measure } = objectiveOf(run);
  if (measure) return measure;
  const phase = run.phases.find(
    (each) => isInIteration(run, each) && KIND_DEFINITIONS[each.kind].commands === 'measures',
  );
  const [command] = phase ? commandsOf(run, phase) : [];
  if (!command) throw new TypeError(`run ${run.id} has no command that measures`);
  return { argv: command.argv, timeoutMs: command.timeoutMs, parser: 'metrics', file: null, names: {} };
}

/** The iteration that the phase belongs to; 0 before the first. */
export function nthOf(run: Run, phase: Phase): number {
  return isInIteration(run, phase) ? (iterationOf(run)?.nth ?? 1) : 0;
}

/** The evaluation of the phase's present attempt; undefined until the worktree was inspected. */
export function evaluationOf(run: Run, phase: Phase): Evaluation | undefined {
  return run.evaluations.find(({ phaseId, attempt }) => phaseId === phase.id && attempt === phase.attempts);
}

/** The evaluation before the first change; undefined until it is judged. */
export function baseOf({ evaluations }: Run): Evaluation | undefined {
  return evaluations.findLast(({ iteration, judgement }) => iteration === 0 && judgement?.isKept);
}

/** The evaluation that the next iteration builds on, and that is delivered; undefined until the base is judged. */
export function bestOf({ evaluations }: Run): Evaluation | undefined {
  return evaluations.findLast(({ judgement }) => judgement?.isKept);
}

/** The last evaluation that is judged. */
export function lastJudged({ evaluations }: Run): Evaluation | undefined {
  return evaluations.findLast(({ judgement }) => judgement !== null);
}

/** True if nothing has to be changed at all. */
export function isBaseEnough(run: Run): boolean {
  return isMeasured(run) && baseOf(run)?.judgement?.isMet === true;
}

/** The part of the data by which iterations are judged. */
export function judgedPart({ splits }: Objective): Part {
  return splits.validation ? 'validation' : 'all';
}

/** The measurements of a part. An evaluation of a known tree has those of the first one. */
export function measurementsOf(run: Run, evaluation: Evaluation, part: Part): Measurement[] {
  const measured = run.evaluations.find(({ id }) => id === evaluation.sameAs) ?? evaluation;
  return [measured, ...(measured === evaluation ? [] : [evaluation])].flatMap(({ measurements }) =>
    measurements.filter((each) => each.part === part).map(({ measurement }) => measurement),
  );
}
