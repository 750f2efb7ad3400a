import type { Verdict } from '../../../schemas/objective/measured.ts';
import { changeText, expectedText, numberText, targetSentence, valueText } from '../../../schemas/objective/words.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { IterationDetail } from '../../../schemas/rpc/views/backtest.ts';
import { evaluationState, VERDICT_STATES } from '../../../schemas/states/evaluations.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { fact } from '../../text/runWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { codeDiffLines } from '../../widgets/diff.ts';
import { type CurveDates, labelledCurve } from '../../widgets/equityCurve.ts';

const CURVE_ROWS = 6;

/** All about one iteration. */
export function detailLines(detail: IterationDetail, columns: number, dates: CurveDates | null = null): Line[] {
  const { iteration, reason, hypothesis, targets, guards, holdout, absent, mined, equity } = detail;
  const state = evaluationState(detail);
  const clusters = mined?.clusters ?? [];
  return [
    ...fact('iteration', iteration === 0 ? 'the base' : String(iteration)),
    ...fact('state', line(stateSpan(state), span(`  ${state.means}`, theme.muted))),
    ...(reason === null ? [] : wrap(reason, columns)),
    ...(hypothesis
      ? [
          ...heading('Hypothesis'),
          ...wrap(hypothesis.hypothesis, columns),
          ...fact('expected', expectedText(hypothesis)),
          ...fact('seen', detail.seen === null ? 'unknown' : changeText(detail.seen)),
          ...fact('evidence', hypothesis.evidence.join(', ')),
        ]
      : []),
    ...verdictLines('Targets', targets, columns),
    ...verdictLines('Guards', guards, columns),
    ...verdictLines('Holdout', holdout ?? [], columns),
    ...heading('Metrics'),
    ...Object.entries(detail.metrics).map(([name, value]) =>
      line(span(`${name} `.padEnd(24), theme.muted), valueText({ value, deviation: detail.deviations[name] ?? null })),
    ),
    ...Object.entries(absent).flatMap(([name, why]) => wrap(`${name}: unknown, ${why}`, columns, theme.muted)),
    ...(equity
      ? [
          ...heading('Equity'),
          ...labelledCurve(equity, { columns, rows: CURVE_ROWS }, { textOf: numberText, dates }).map((text) =>
            line(span(text, theme.accent)),
          ),
        ]
      : []),
    ...(clusters.length > 0
      ? [
          ...heading(`Losses: ${mined?.losing} of ${counted(mined?.trades ?? 0, 'trade')}`),
          ...clusters.map(({ id, count, loss, lift, support }) =>
            line(
              span(`${count}`.padStart(5)),
              span(`${numberText(loss)}`.padStart(12), theme.bad),
              span(`  lift ${numberText(lift)}, ${Math.round(support * 100)} % of the losses  `, theme.muted),
              id,
            ),
          ),
        ]
      : []),
    ...(mined && mined.drawdowns.length > 0
      ? [
          ...heading('Drawdowns'),
          ...mined.drawdowns.map(({ from, to, depth }) =>
            line(`${numberText(depth)}  `, span(`${from} to ${to}`, theme.muted)),
          ),
        ]
      : []),
  ];
}

function heading(title: string): Line[] {
  return [EMPTY, line(span(title, theme.title))];
}

function verdictLines(title: string, verdicts: readonly Verdict[], columns: number): Line[] {
  if (verdicts.length === 0) return [];
  const lines = verdicts.flatMap((verdict) =>
    wrap(targetSentence(verdict), columns - 10).map((text, nth) =>
      line(nth === 0 ? stateSpan(stateOf(VERDICT_STATES, verdict.state)) : '', '  ', ...text),
    ),
  );
  return [...heading(title), ...lines];
}

const NAME = 24;
const NUMBER = 14;

/** Two iterations side by side: their metrics, then what differs in the code. */
export function comparisonLines({ a, b, diff }: RpcResult<'backtest.compare'>): Line[] {
  const names = [...new Set([...Object.keys(a.metrics), ...Object.keys(b.metrics)])].sort();
  const titles = [a, b].map(({ iteration }) => (iteration === 0 ? 'base' : `#${iteration}`));
  const top = line(span(['metric'.padEnd(NAME), ...titles.map((each) => each.padStart(NUMBER))].join(''), theme.muted));
  return [
    top,
    ...names.map((name) => metricLine(name, a.metrics[name], b.metrics[name])),
    EMPTY,
    ...(diff === null ? [line(span('A commit of them is gone.', theme.muted))] : codeDiffLines(diff)),
  ];
}

function metricLine(name: string, a: number | undefined, b: number | undefined): Line {
  const text = (value: number | undefined) => (value === undefined ? '-' : numberText(value)).padStart(NUMBER);
  const change = a === undefined || b === undefined || a === b ? '' : changeText(b - a);
  return line(`${name} `.padEnd(NAME), text(a), text(b), span(change.padStart(NUMBER), theme.accent));
}
