import type { Verdict } from '../../../schemas/objective/measured.ts';
import { changeText, expectedText, numberText, targetSentence, valueText } from '../../../schemas/objective/words.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { IterationDetail, IterationRow } from '../../../schemas/rpc/views/backtest.ts';
import { evaluationState, VERDICT_STATES } from '../../../schemas/states/evaluations.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Io } from '../../io/io.ts';
import { type Column, formatTable, paintState, printHeading, printTable } from '../output.ts';
import { visible } from '../text.ts';

type Shown = RpcResult<'backtest.show'>;

/** All iterations of a run, and what they reached. */
export function printLoop(io: Io, { summary, iterations }: Shown): void {
  const { metric, better, targets, best, base, stop } = summary;
  printTable(io, iterations, columnsFor(targets), 'Nothing is measured yet.');
  printReasons(io, iterations);
  const reached = best && base !== null ? `: ${numberText(base)} at the base, ${numberText(best.value)} at best` : '';
  const where = best ? ` (iteration ${best.iteration}, ${best.targetsMet} of ${counted(targets, 'target')})` : '';
  io.out(`\n${visible(metric)}, ${better} is better${reached}${where}\n`);
  const detail = iterations.findLast((each) => each.stop)?.stop?.detail;
  if (stop && detail) io.out(`Ended: ${visible(detail)}.\n`);
}

/** Why each was kept or undone, in whole sentences: a column has no room for them. */
function printReasons(io: Io, iterations: readonly IterationRow[]): void {
  const judged = iterations.filter(({ reason }) => reason !== null);
  if (judged.length === 0) return;
  printHeading(io, 'Why');
  for (const row of judged) {
    const name = row.iteration === 0 ? 'base' : `#${row.iteration}`;
    io.out(`${name.padEnd(6)}${evaluationState(row).word}: ${visible(row.reason ?? '')}\n`);
  }
}

function columnsFor(targets: number): Column<IterationRow>[] {
  return [
    { title: '#', cell: ({ iteration }) => iteration, align: 'right' },
    { title: 'STATE', cell: evaluationState },
    { title: 'VALUE', cell: valueText, align: 'right' },
    { title: 'GAIN', cell: ({ gain }) => (gain === null ? '-' : changeText(gain)), align: 'right' },
    { title: 'TARGETS', cell: ({ targetsMet }) => `${targetsMet}/${targets}`, align: 'right', spare: 1 },
    { title: 'EXPECTED', cell: ({ hypothesis }) => expectedText(hypothesis), spare: 3 },
    { title: 'SEEN', cell: ({ seen }) => (seen === null ? '' : changeText(seen)), align: 'right', spare: 2 },
    { title: 'HYPOTHESIS', cell: ({ hypothesis }) => hypothesis?.hypothesis },
  ];
}

/** Prints one measurement of the base, before a run is started. */
export function printTry(io: Io, answer: RpcResult<'backtest.try'>): void {
  const { commit, argv, part, objective, measurement, targets, guards, faults, warnings, output, tookMs } = answer;
  const what = part === 'all' ? 'Measured' : `Measured ${part} of`;
  io.out(`${what} ${commit.slice(0, 12)} in ${numberText(tookMs / 1000)} s: ${visible(argv.join(' '))}\n`);
  printHeading(io, 'Objective');
  for (const text of objective) io.out(`${visible(text)}\n`);
  const metrics = Object.entries(measurement.metrics).map(([metric, value]) => ({ metric, value }));
  printHeading(io, 'Metrics');
  printTable(io, metrics, metricColumns({ deviations: {} }), 'none');
  for (const [metric, why] of Object.entries(measurement.absent))
    io.out(`${visible(metric)}: unknown, ${visible(why)}\n`);
  printVerdicts(io, 'Targets', targets);
  printVerdicts(io, 'Guards', guards);
  if (faults.length > 0 && output !== '') {
    printHeading(io, 'Output');
    io.out(`${visible(output, 'text')}\n`);
  }
  for (const text of warnings) io.out(`\nWarning: ${visible(text)}.\n`);
  for (const text of faults) io.out(`\nA run would stop at its base: ${visible(text)}.\n`);
}

/** Prints all about one iteration. */
export function printIteration(io: Io, detail: IterationDetail): void {
  const { iteration, reason, hypothesis, targets, guards, holdout, absent, mined } = detail;
  const state = evaluationState(detail);
  const name = iteration === 0 ? 'The base' : `Iteration ${iteration}`;
  io.out(`${name}, ${paintState(io, state)}${reason === null ? '' : `: ${visible(reason)}`}\n`);
  if (hypothesis) {
    const seen = detail.seen === null ? 'unknown' : changeText(detail.seen);
    io.out(`${visible(hypothesis.hypothesis, 'text')}\nexpected ${visible(expectedText(hypothesis))}, seen ${seen}\n`);
  }
  const metrics = Object.entries(detail.metrics).map(([metric, value]) => ({ metric, value }));
  printHeading(io, 'Metrics');
  printTable(io, metrics, metricColumns(detail), 'none');
  for (const [metric, why] of Object.entries(absent)) io.out(`${visible(metric)}: unknown, ${visible(why)}\n`);
  printVerdicts(io, 'Targets', targets);
  printVerdicts(io, 'Guards', guards);
  printVerdicts(io, 'Holdout', holdout ?? []);
  if (!mined || mined.clusters.length === 0) return;
  printHeading(io, `Losses: ${mined.losing} of ${counted(mined.trades, 'trade')}`);
  printTable(io, mined.clusters, CLUSTERS, 'none');
}

interface Metric {
  metric: string;
  value: number;
}

function metricColumns({ deviations }: Pick<IterationDetail, 'deviations'>): Column<Metric>[] {
  return [
    { title: 'METRIC', cell: ({ metric }) => metric },
    { title: 'VALUE', cell: ({ metric, value }) => valueText({ value, deviation: deviations[metric] ?? null }) },
  ];
}

function printVerdicts(io: Io, title: string, verdicts: readonly Verdict[]): void {
  if (verdicts.length === 0) return;
  printHeading(io, title);
  for (const verdict of verdicts) {
    const state = stateOf(VERDICT_STATES, verdict.state);
    io.out(`${paintState(io, state, state.word.padEnd(9))}${visible(targetSentence(verdict))}\n`);
  }
}

const CLUSTERS: Column<NonNullable<IterationDetail['mined']>['clusters'][number]>[] = [
  { title: 'LOSSES', cell: ({ count }) => count, align: 'right' },
  { title: 'LOST', cell: ({ loss }) => numberText(loss), align: 'right' },
  { title: 'LIFT', cell: ({ lift }) => numberText(lift), align: 'right' },
  { title: 'SUPPORT', cell: ({ support }) => `${Math.round(support * 100)} %`, align: 'right' },
  { title: 'CLUSTER', cell: ({ id }) => id },
];

/** Two iterations side by side. */
export function comparison(io: Io, { a, b }: RpcResult<'backtest.compare'>): string {
  const names = [...new Set([...Object.keys(a.metrics), ...Object.keys(b.metrics)])].sort();
  const text = (value: number | undefined) => (value === undefined ? '-' : numberText(value));
  const columns: Column<string>[] = [
    { title: 'METRIC', cell: (name) => name },
    { title: titleOf(a), cell: (name) => text(a.metrics[name]), align: 'right' },
    { title: titleOf(b), cell: (name) => text(b.metrics[name]), align: 'right' },
    { title: 'CHANGE', cell: (name) => changeBetween(a.metrics[name], b.metrics[name]), align: 'right' },
  ];
  return formatTable(io, names, columns);
}

function titleOf({ iteration }: IterationDetail): string {
  return iteration === 0 ? 'BASE' : `#${iteration}`;
}

function changeBetween(a: number | undefined, b: number | undefined): string {
  return a === undefined || b === undefined ? '' : changeText(b - a);
}
