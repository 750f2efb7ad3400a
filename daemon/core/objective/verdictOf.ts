import type { EventPayload } from '../../../schemas/events/index.ts';
import type { Verdict } from '../../../schemas/objective/measured.ts';
import type { Objective, Part } from '../../../schemas/objective/objective.ts';
import { targetSentence } from '../../../schemas/objective/words.ts';
import { doubtsMetTargets, measuresApart, ranksByTargets, readsPercentages } from '../run/behaviour.ts';
import type { Evaluation } from '../run/evaluation.ts';
import { iterationOf } from '../run/iterations.ts';
import type { Run } from '../run/state.ts';
import { holdoutStateOf, holdoutVerdicts } from './holdout.ts';
import { type Judgement, judge, seenIn, unknownPrimary } from './judge.ts';
import { baseOf, bestOf, judgedPart, measurementsOf, objectiveOf } from './measuring.ts';
import { type Rivals, rank } from './rank.ts';
import { type StopFacts, stopNext } from './stopNext.ts';
import { own, type Summary, summarise } from './values.ts';

type Completed = Omit<EventPayload<'backtest.iteration_completed'>, 'iterationId'>;
type Evaluated = Omit<EventPayload<'backtest.objective_evaluated'>, 'iterationId'>;

/** The values of the judged part of an evaluation. */
export function summaryOf(run: Run, evaluation: Evaluation): Summary {
  return summarise(measurementsOf(run, evaluation, judgedPart(objectiveOf(run))));
}

/** Compares the present state of an evaluation with the base and the best before it. */
export function judgementOf(run: Run, evaluation: Evaluation): Judgement {
  if (ranksByTargets(run)) return ranked(run, rivalsOf(run, evaluation));
  const base = baseOf(run);
  const best = bestOf(run);
  return judge(objectiveOf(run), {
    base: base ? summaryOf(run, base) : null,
    best: best ? summaryOf(run, best) : null,
    candidate: summaryOf(run, evaluation),
  });
}

function ranked(run: Run, rivals: Rivals): Judgement {
  const objective = objectiveOf(run);
  const judgement = rank(objective, rivals);
  return doubtsMetTargets(run) ? judgement : { ...judgement, isMet: seenIn(objective, rivals.candidate).isMet };
}

/** The states that the evaluation is compared with. The measurements of a known tree count once. */
export function rivalsOf(run: Run, evaluation: Evaluation): Rivals {
  const before = bestOf(run);
  const part = judgedPart(objectiveOf(run));
  const others = run.evaluations.filter(
    ({ id, sameAs, result }) =>
      id !== evaluation.id && id !== evaluation.sameAs && sameAs === null && result?.status === 'valid',
  );
  return {
    before: before ? summaryOf(run, before) : null,
    candidate: summaryOf(run, evaluation),
    repeated: others.map((each) => ({
      deviations: each.result?.deviations ?? {},
      count: measurementsOf(run, each, part).length,
    })),
  };
}

/** True if the evaluation would end the loop, if the holdout allows it. */
export function reachesTargets(run: Run, evaluation: Evaluation): boolean {
  const { isMet: meets, isKept } = judgementOf(run, evaluation);
  return meets && isKept;
}

/** The result of an evaluation when everything is measured. */
export function completedOf(run: Run, evaluation: Evaluation): Completed {
  const summary = summaryOf(run, evaluation);
  const { metrics, deviations } = summary;
  const tampered = tamperedOf(run, evaluation);
  if (tampered.length > 0) return { status: 'tampered', reason: tampered.join('; '), metrics: {}, deviations: {} };
  const fault = faultOf(run, evaluation);
  if (fault !== undefined) return { status: 'invalid', reason: fault, metrics, deviations };
  const { metric } = objectiveOf(run).primary;
  const unmeasured = unmeasuredOf(run, evaluation, summary);
  if (unmeasured.length > 0) {
    return { status: 'invalid', reason: unmeasuredText(unmeasured), metrics, deviations };
  }
  if (own(metrics, metric) !== undefined) return { status: 'valid', reason: null, metrics, deviations };
  return { status: 'invalid', reason: unknownPrimary(metric, summary), metrics, deviations };
}

/** The metrics that a target or guard names and the base does not report, not even as absent. They could never be met. */
function unmeasuredOf(run: Run, { iteration }: Evaluation, { metrics, absent }: Summary): string[] {
  if (iteration > 0 || !readsPercentages(run)) return [];
  return unmeasuredIn(objectiveOf(run), { metrics, absent });
}

/** Why a run would stop at this base. */
export function faultsOfBase(objective: Objective, summary: Summary): string[] {
  if (summary.fault !== undefined) return [summary.fault];
  const { metric } = objective.primary;
  const unmeasured = unmeasuredIn(objective, summary);
  const isUnknown = own(summary.metrics, metric) === undefined;
  return [
    ...(unmeasured.length > 0 ? [unmeasuredText(unmeasured)] : []),
    ...(isUnknown ? [unknownPrimary(metric, summary)] : []),
  ];
}

const unmeasuredText = (names: readonly string[]) =>
  `the measurement does not have ${names.join(', ')}, which the objective names`;

function unmeasuredIn(
  { targets, guards }: Objective,
  { metrics, absent }: Pick<Summary, 'metrics' | 'absent'>,
): string[] {
  const named = [...targets, ...guards.filter(({ isDefault }) => !isDefault)].map(({ metric }) => metric);
  return [...new Set(named)].filter((name) => own(metrics, name) === undefined && own(absent, name) === undefined);
}

/** Why a measurement failed; undefined if none did. Later prompts have it, so it says nothing of the holdout. */
export function faultOf(run: Run, evaluation: Evaluation): string | undefined {
  const faultIn = (part: Part) =>
    measurementsOf(run, evaluation, part).find(({ fault }) => fault !== null)?.fault ?? undefined;
  const isClosed = faultIn('holdout') === undefined;
  return (
    faultIn('train') ??
    faultIn(judgedPart(objectiveOf(run))) ??
    (isClosed ? undefined : 'the holdout could not be measured')
  );
}

/** Forbidden changes by an agent or by the command. */
export function tamperedOf(run: Run, evaluation: Evaluation): string[] {
  if (evaluation.tampered.length > 0) return evaluation.tampered;
  if (evaluation.measurements.some(({ protectedHash }) => protectedHash !== evaluation.protectedHash)) {
    return ['a protected file changed while the command ran'];
  }
  const base = baseOf(run);
  if (!base) return [];
  const seedOf = measuresApart(run) ? seedAt : firstSeed;
  return [
    ...new Set(
      evaluation.measurements.flatMap((measured, index) => otherGround(base, measured, seedOf(base, measured, index))),
    ),
  ];
}

type Measured = Evaluation['measurements'][number];

/** null: a measurement without one. Undefined: nobody can tell. */
type Seed = Measured['measurement']['seed'] | undefined;

const firstSeed = ({ measurements }: Evaluation, { part }: Measured): Seed =>
  measurements.find((each) => each.part === part)?.measurement.seed;

/** The seed may depend on the number of the measurement. It is then unknown beyond the measurements of the base. */
function seedAt({ measurements }: Evaluation, { part }: Measured, index: number): Seed {
  const same = measurements[index];
  if (same?.part === part) return same.measurement.fault === null ? same.measurement.seed : undefined;
  const seeds = measurements.filter((each) => each.part === part).map(({ measurement }) => measurement.seed);
  return seeds.length > 1 && new Set(seeds).size === 1 ? seeds[0] : undefined;
}

/** The differences of seed, data and range from the first measurement, in sentences. */
function otherGround({ measurements }: Evaluation, { part, measurement }: Measured, wanted: Seed): string[] {
  const first = measurements.find((each) => each.part === part)?.measurement;
  if (!first || measurement.fault !== null || first.fault !== null) return [];
  const { seed, data } = measurement;
  const differs = (name: 'sha256' | 'from' | 'to') => data[name] !== first.data[name];
  return [
    ...(wanted === undefined || seed === wanted ? [] : [`the seed is ${seed ?? 'none'} and was ${wanted ?? 'none'}`]),
    ...(differs('sha256') ? ['the data differs from that of the base'] : []),
    ...(differs('from') || differs('to') ? ['the range of the data differs from that of the base'] : []),
  ];
}

/** The judgement of a completed evaluation, and whether the loop ends with it. */
export function evaluatedOf(run: Run, evaluation: Evaluation): Evaluated {
  const isValid = evaluation.result?.status === 'valid';
  const judgement = judgementOf(run, evaluation);
  const isKept = isValid && judgement.isKept;
  const holdout = holdoutVerdicts(run, evaluation);
  const meets = isKept && judgement.isMet;
  const { targets, guards, weighted, gain, needed } = judgement;
  const stop = stopNext(objectiveOf(run), stopFacts(run, evaluation, { isKept, meets, targets }));
  return {
    targets,
    guards,
    holdout,
    weighted,
    isMet: stop?.reason === 'met',
    isKept,
    gain: isValid ? gain : null,
    needed,
    reason: isValid ? judgement.reason : (evaluation.result?.reason ?? 'nothing was measured'),
    best: isKept ? evaluation.id : (bestOf(run)?.id ?? null),
    stop,
  };
}

interface Seen {
  isKept: boolean;
  meets: boolean;
  /** The verdicts of the evaluation on each target. */
  targets: Verdict[];
}

/** The facts that count for the end of the loop: since its beginning, or since a person granted more. */
function stopFacts(run: Run, evaluation: Evaluation, { isKept, meets, targets }: Seen): StopFacts {
  const since = run.iterations.findLast(({ extension }) => extension !== null)?.nth ?? 1;
  const ended = run.evaluations.filter(({ iteration, judgement }) => iteration >= since && judgement !== null);
  const iterations = ended.map((each) => ({
    status: each.result?.status ?? ('invalid' as const),
    isKept: each.judgement?.isKept ?? false,
    startedAt: startOf(run, each),
    endedAt: each.endedAt ?? each.startedAt,
  }));
  const present = {
    status: evaluation.result?.status ?? ('invalid' as const),
    isKept,
    startedAt: startOf(run, evaluation),
    endedAt: run.updatedAt,
  };
  const missing = isKept ? missedIn(targets) : missedByBest(run);
  return {
    tampered: tamperedOf(run, evaluation),
    isMet: meets,
    holdout: holdoutStateOf(run, evaluation),
    missing: ranksByTargets(run) ? missing : [],
    iterations: evaluation.iteration === 0 ? [] : [...iterations, present],
  };
}

/** The targets that the best state does not meet, in sentences. */
export function missedByBest(run: Run): string[] {
  return missedIn(bestOf(run)?.judgement?.targets ?? []);
}

function missedIn(targets: readonly Verdict[]): string[] {
  return targets.filter(({ state }) => state !== 'met').map(targetSentence);
}

/** An iteration begins with its agents, not with its measurement. */
function startOf({ iterations }: Run, { iteration, startedAt }: Evaluation): string {
  return iterations.find(({ nth }) => nth === iteration)?.startedAt ?? startedAt;
}

/** The iteration that is judged, in the words of `iterate`: what is open after it. */
export function openTargets(run: Run): { isResolved: boolean; issues: string[] } | undefined {
  const nth = iterationOf(run)?.nth;
  const judged = run.evaluations.findLast(({ iteration, judgement }) => iteration === nth && judgement !== null);
  if (!judged?.judgement) return undefined;
  const { isMet: isResolved, targets } = judged.judgement;
  return { isResolved, issues: isResolved ? [] : missedIn(targets) };
}
