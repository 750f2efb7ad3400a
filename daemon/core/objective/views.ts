import { isTerminal } from '../../../schemas/enums.ts';
import type { IterationDetail, IterationRow, LoopSummary } from '../../../schemas/rpc/views/backtest.ts';
import type { Evaluation } from '../run/evaluation.ts';
import type { Run } from '../run/state.ts';
import { baseOf, bestOf, judgedPart, lastJudged, measurementsOf, objectiveOf } from './measuring.ts';
import { own } from './values.ts';
import { summaryOf } from './verdictOf.ts';

/** The achievements of a run that is judged by measurements. */
export function loopSummary(run: Run): LoopSummary {
  const { primary, targets } = objectiveOf(run);
  const [base, best] = [baseOf(run), bestOf(run)];
  const value = best && metricOf(best, primary.metric);
  return {
    runId: run.id,
    state: run.state,
    template: `${run.template.name}@${run.template.version}`,
    repoPath: run.repoPath,
    metric: primary.metric,
    better: primary.better,
    targets: targets.length,
    iterations: new Set(run.evaluations.map(({ iteration }) => iteration).filter((nth) => nth > 0)).size,
    base: (base && metricOf(base, primary.metric)) ?? null,
    best: best && value !== undefined ? { iteration: best.iteration, value, targetsMet: targetsMet(best) } : null,
    stop: lastJudged(run)?.judgement?.stop?.reason ?? null,
    createdAt: run.createdAt,
  };
}

/** All evaluations, in their order. */
export function iterationRows(run: Run): IterationRow[] {
  const { metric } = objectiveOf(run).primary;
  let best: Evaluation | undefined;
  return run.evaluations.map((evaluation) => {
    const row = rowOf(evaluation, metric, best);
    if (evaluation.judgement?.isKept) best = evaluation;
    return row;
  });
}

/** Pure, and depends on nothing but the evaluation and the best before it. */
export function rowOf(evaluation: Evaluation, metric: string, best: Evaluation | undefined): IterationRow {
  const { iteration, attempt, result, judgement, hypothesis } = evaluation;
  const expected = hypothesis?.expect.metric;
  const [now, before] = [evaluation, best].map((each) =>
    each && expected !== undefined ? metricOf(each, expected) : undefined,
  );
  return {
    iteration,
    attempt,
    status: judgement ? (result?.status ?? 'invalid') : 'running',
    value: metricOf(evaluation, metric) ?? null,
    deviation: (result && own(result.deviations, metric)) ?? null,
    gain: judgement?.gain ?? null,
    needed: judgement?.needed ?? null,
    targetsMet: targetsMet(evaluation),
    isKept: judgement?.isKept ?? false,
    isMet: judgement?.isMet ?? false,
    reason: judgement?.reason ?? null,
    hypothesis: hypothesis && { hypothesis: hypothesis.hypothesis, expect: hypothesis.expect },
    seen: now === undefined || before === undefined ? null : now - before,
    stop: judgement?.stop ?? null,
  };
}

/** Everything about one evaluation. The holdout is shown when nothing more can be learnt from it. */
export function iterationDetail(run: Run, evaluation: Evaluation): IterationDetail {
  const row = iterationRows(run)[run.evaluations.indexOf(evaluation)];
  if (!row) throw new TypeError(`evaluation ${evaluation.id} is not of run ${run.id}`);
  const { splits } = objectiveOf(run);
  const { id: iterationId, commit, startedAt, endedAt } = evaluation;
  const judged = judgedPart(objectiveOf(run));
  const learnt = measurementsOf(run, evaluation, splits.train ? 'train' : judged);
  const summary = summaryOf(run, evaluation);
  return {
    ...row,
    iterationId,
    commit,
    startedAt,
    endedAt,
    hypothesis: evaluation.hypothesis,
    metrics: evaluation.result?.metrics ?? summary.metrics,
    deviations: evaluation.result?.deviations ?? summary.deviations,
    absent: summary.absent,
    targets: evaluation.judgement?.targets ?? [],
    guards: evaluation.judgement?.guards ?? [],
    holdout: isTerminal(run.state) ? (evaluation.judgement?.holdout ?? null) : null,
    mined: learnt.find(({ mined }) => mined)?.mined ?? null,
    equity: measurementsOf(run, evaluation, judged).find(({ equity }) => equity)?.equity ?? null,
    measurements: evaluation.measurements.length,
  };
}

/** When the judged data begins and ends, as the tool or the objective says. */
export function datesOf(run: Run, evaluation: Evaluation): { from: string; to: string } | null {
  const part = judgedPart(objectiveOf(run));
  const { data } = measurementsOf(run, evaluation, part).find(({ equity }) => equity) ?? {};
  const range = part === 'all' ? undefined : objectiveOf(run).splits[part];
  const [from, to] = [data?.from ?? range?.from, data?.to ?? range?.to];
  return from === undefined || to === undefined ? null : { from, to };
}

function targetsMet({ judgement }: Evaluation): number {
  return judgement?.targets.filter(({ state }) => state === 'met').length ?? 0;
}

function metricOf({ result }: Evaluation, metric: string): number | undefined {
  return result ? own(result.metrics, metric) : undefined;
}
