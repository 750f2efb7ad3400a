import { isTerminal } from '../../schemas/enums.ts';
import type { Verdict } from '../../schemas/objective/measured.ts';
import { changeText, expectedText, numberText, targetSentence, valueText } from '../../schemas/objective/words.ts';
import type { IterationRow, LoopSummary } from '../../schemas/rpc/views/backtest.ts';
import { evaluationState, VERDICT_STATES } from '../../schemas/states/evaluations.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { bestOf, isMeasured } from '../core/objective/measuring.ts';
import { iterationRows, loopSummary } from '../core/objective/views.ts';
import type { Run } from '../core/run/state.ts';
import { inline, table } from './markdownText.ts';

/** The results of a run that is judged by measurements. */
export interface MeasuredPart {
  summary: LoopSummary;
  /** The verdicts of the best state. */
  targets: Verdict[];
  guards: Verdict[];
  /** Null if it was not opened, or the run is open. */
  holdout: Verdict[] | null;
  iterations: IterationRow[];
}

/** Null for a run that is not measured. */
export function measuredPart(run: Run): MeasuredPart | null {
  if (!isMeasured(run) || run.objective === null) return null;
  const { targets = [], guards = [] } = bestOf(run)?.judgement ?? {};
  const opened = run.evaluations.findLast(({ judgement }) => judgement?.holdout)?.judgement?.holdout ?? null;
  const holdout = isTerminal(run.state) ? opened : null;
  return { summary: loopSummary(run), targets, guards, holdout, iterations: iterationRows(run) };
}

/** The section of the report: what was reached, then the staircase of the best. */
export function measuredMarkdown(part: MeasuredPart | null): string {
  if (!part || part.iterations.length === 0) return '';
  const { summary, targets, guards, holdout, iterations } = part;
  const { metric, better, base, best, stop } = summary;
  const reached =
    best && base !== null
      ? `${inline(metric)} (${better} is better): ${numberText(base)} at the base, ${numberText(best.value)} in the best state, iteration ${best.iteration}.`
      : `${inline(metric)} (${better} is better) could not be measured.`;
  const detail = iterations.findLast((each) => each.stop)?.stop?.detail;
  const end = stop && detail ? ` The loop ended: ${inline(detail)}.` : '';
  const blocks = [
    `${reached}${end}`,
    verdicts('Targets of the best state', targets),
    verdicts('Guards of the best state', guards),
    verdicts('On the holdout', holdout ?? []),
    staircase(iterations),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

function verdicts(title: string, all: readonly Verdict[]): string {
  if (all.length === 0) return '';
  const lines = all.map(
    (verdict) => `- ${stateOf(VERDICT_STATES, verdict.state).word}: ${inline(targetSentence(verdict))}`,
  );
  return `${title}:\n\n${lines.join('\n')}`;
}

function staircase(iterations: readonly IterationRow[]): string {
  return table(
    ['iteration', 'state', 'value', 'gain', 'expected', 'seen', 'hypothesis', 'why'],
    iterations.map((row) => [
      row.iteration === 0 ? 'base' : String(row.iteration),
      evaluationState(row).word,
      valueText(row),
      row.gain === null ? '' : changeText(row.gain),
      inline(expectedText(row.hypothesis)),
      row.seen === null ? '' : changeText(row.seen),
      inline(row.hypothesis?.hypothesis ?? ''),
      inline(row.reason ?? ''),
    ]),
  );
}
