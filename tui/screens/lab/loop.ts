import { type ObjectiveDocument, readObjective } from '../../../schemas/objective/readObjective.ts';
import { changeText, expectedText, numberText, valueText } from '../../../schemas/objective/words.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { IterationRow } from '../../../schemas/rpc/views/backtest.ts';
import { evaluationState } from '../../../schemas/states/evaluations.ts';
import { type Binding, bindingsWhile } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { fitWidth, type Line, line, type Style, span, wrap } from '../../text/line.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import type { Column } from '../../widgets/columns.ts';
import { type ColumnWidth, columnWidths, joinCells, titleLine } from '../../widgets/columnWidths.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
import { createReader, READER_START } from '../../widgets/reader.ts';
import { comparisonLines, detailLines } from './loopLines.ts';
import { iterationsOf, loopQuery, loopState, type Opened, openedQuery, shownLoop } from './shownLoop.ts';
import { type Staircase, staircase } from './staircase.ts';

const gainText = ({ gain }: IterationRow) => (gain === null ? '' : changeText(gain));
const seenText = ({ seen }: IterationRow) => (seen === null ? '' : changeText(seen));

const COLUMNS: readonly Column<IterationRow>[] = [
  { title: 'no.', text: ({ iteration }) => String(iteration), order: ({ iteration }) => iteration },
  { title: 'state', text: (row) => evaluationState(row).word },
  { title: 'value', text: valueText, order: ({ value }) => value ?? 0 },
  { title: 'gain', text: gainText, order: ({ gain }) => gain ?? 0 },
  { title: 'targets', text: ({ targetsMet }) => String(targetsMet) },
  { title: 'expected', text: ({ hypothesis }) => expectedText(hypothesis) },
  { title: 'seen', text: seenText },
  { title: 'hypothesis', text: ({ hypothesis, reason }) => hypothesis?.hypothesis ?? reason ?? '' },
];

/** In the order of the columns. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 4, ideal: 4, priority: 10 },
  { min: 9, ideal: 9, priority: 9 },
  { min: 10, ideal: 20, priority: 8 },
  { min: 9, ideal: 10, priority: 7 },
  { min: 7, ideal: 7, priority: 5 },
  { min: 14, ideal: 22, priority: 4 },
  { min: 9, ideal: 10, priority: 3 },
  { min: 16, ideal: 40, priority: 6, grows: true },
];

const list = createList<IterationRow>({
  name: 'loop',
  state: screenState<ListState>('loop list', LIST_START),
  items: iterationsOf,
  keyOf: ({ iteration, attempt }) => `${iteration} ${attempt}`,
  columns: COLUMNS,
  also: ({ reason }) => reason ?? '',
});

const reader = createReader({
  name: 'loop.text',
  state: screenState('loop text', READER_START),
  lines: openedLines,
  rows: (model) => bodySize(model).rows - 1,
});

const isOpened = (model: Model) => loopState.get(model).opened !== undefined;
const isClosed = (model: Model) => !isOpened(model);

function opening(model: Model, opened: Opened) {
  return step(reader.reset(loopState.set(model, { opened })));
}

const onIteration = (
  binding: Omit<Binding, 'when' | 'disabled' | 'run'>,
  run: (model: Model, selected: IterationRow) => ReturnType<typeof step>,
) => list.action({ ...binding, when: isClosed }, 'no iteration is selected', run);

const actions: readonly Binding[] = [
  onIteration(
    {
      id: 'loop.open',
      keys: OPEN_KEYS,
      label: 'open',
      footer: true,
      help: 'Show everything about the iteration: metrics, targets, equity, losses',
    },
    (model, { iteration }) => opening(model, { kind: 'iteration', iteration }),
  ),
  onIteration(
    {
      id: 'loop.mark',
      keys: ['m'],
      label: 'mark',
      footer: true,
      help: 'Mark the iteration that others are compared with; before, it is the base',
    },
    (model, { iteration }) => step(loopState.set(model, { marked: iteration })),
  ),
  onIteration(
    {
      id: 'loop.compare',
      keys: ['c'],
      label: 'compare',
      footer: true,
      help: 'Compare the iteration with the marked one: metrics, and what differs in the code',
    },
    (model, { iteration }) => opening(model, { kind: 'comparison', a: loopState.get(model).marked, b: iteration }),
  ),
  {
    id: 'loop.run',
    keys: ['R'],
    label: 'run',
    footer: true,
    help: 'Go to the run',
    run: (model) => step(model.place.id ? goTo(model, { screen: 'run', id: model.place.id }) : model),
  },
];

/** The measurements of a run's iterations. */
export const loop: Screen = {
  id: 'loop',
  tab: 'lab',
  title: (model) => `Backtest Lab: ${shownLoop(model)?.summary.metric ?? ''}`,
  queries(model) {
    const { opened } = loopState.get(model);
    return [loopQuery(model), ...(opened ? [openedQuery(model, opened)] : [])];
  },
  bindings: [...actions, ...bindingsWhile(isClosed, list.bindings), ...bindingsWhile(isOpened, reader.bindings)],
  view(model, size) {
    if (isOpened(model)) return reader.viewOver(model, titleOf(model), size);
    const head = headLines(model, size);
    const foot = footLines(model, size);
    const rows = { ...size, rows: size.rows - head.length - foot.length };
    return [...head, ...list.view(model, rows, draw(model), emptiness(model)), ...foot].slice(0, size.rows);
  },
  typing: (model) => (isOpened(model) ? reader.typing(model) : list.typing(model)),
  onKey(model, key) {
    const closed = loopState.set(model, { opened: undefined });
    return isOpened(model) ? reader.onKeyOver(model, key, closed) : list.onKey(model, key);
  },
  onMouse(model, at, size) {
    if (isOpened(model)) return reader.onMouse(model, at);
    const head = headLines(model, size).length;
    const below = size.rows - footLines(model, size).length;
    if (at.row < head || at.row >= below) return undefined;
    const moved = list.onMouse(model, { ...at, row: at.row - head }, { ...size, rows: below - head });
    const selected = list.selected(model);
    return moved ?? (selected && opening(model, { kind: 'iteration', iteration: selected.iteration }));
  },
};

/** Below so many rows, the list has them all. */
const LEAST_ROWS = 18;

/** The result, the staircase of best values, and the column titles. */
function headLines(model: Model, size: { columns: number; rows: number }): Line[] {
  const shown = shownLoop(model);
  const failed = errorOf(model.data, loopQuery(model));
  const sum = shown
    ? summaryLines(shown, size.columns - 2)
    : failed
      ? wrap(failed.message, size.columns - 2, theme.bad)
      : [];
  const steps =
    shown && size.rows >= LEAST_ROWS
      ? staircase(shown.iterations, primaryOf(shown), { columns: size.columns, rows: Math.min(8, size.rows >> 2) })
      : [];
  const head = list.head(model);
  const titles = titleLine(
    COLUMNS.map(({ title }) => head(title)),
    WIDTHS,
    size.columns,
  );
  return [...sum.map((each) => line(' ', ...each)), ...steps, titles].map((each) => fitWidth(each, size.columns));
}

/** The direction and the target of the primary metric. */
function primaryOf({ summary: { metric, better }, objective }: RpcResult<'backtest.show'>): Staircase {
  const { targets } = readObjective(objective as ObjectiveDocument);
  return { better, target: targets.find((each) => each.metric === metric)?.value };
}

function summaryLines({ summary, iterations }: RpcResult<'backtest.show'>, columns: number): Line[] {
  const { metric, better, base, best, targets } = summary;
  const value = (of: number | null | undefined) => (of === null || of === undefined ? '-' : numberText(of));
  const first = line(
    span(metric, theme.title),
    span(`, ${better} is better`, theme.muted),
    `   base ${value(base)}`,
    `   best ${value(best?.value)}`,
    span(`   targets ${best?.targetsMet ?? 0}/${targets}`),
  );
  const stop = iterations.findLast((each) => each.stop)?.stop;
  return [first, ...(summary.stop && stop ? wrap(`Ended: ${stop.detail}.`, columns, theme.warn).slice(0, 2) : [])];
}

const MOST_LINES = 2;

/** The selected iteration in full: what it tried, and why it was kept or undone. The columns have no room for it. */
function footLines(model: Model, size: { columns: number; rows: number }): Line[] {
  const selected = list.selected(model);
  if (!selected || size.rows < LEAST_ROWS) return [];
  const { iteration, hypothesis, reason } = selected;
  const name = iteration === 0 ? 'The base' : `Iteration ${iteration}, ${evaluationState(selected).word}`;
  const texts: [string, Style?][] = [
    [reason === null ? '' : `${name}: ${reason}.`],
    [hypothesis?.hypothesis ?? '', theme.muted],
  ];
  const lines = texts.flatMap(([text, style]) =>
    text === '' ? [] : wrap(text, size.columns - 2, style).slice(0, MOST_LINES),
  );
  return lines.map((each) => fitWidth(line(' ', ...each), size.columns));
}

/** Reads what all rows share only once. */
function draw(model: Model) {
  const { marked } = loopState.get(model);
  const targets = shownLoop(model)?.summary.targets ?? 0;
  // If an iteration was measured again, only its newest attempt is compared.
  const compared = iterationsOf(model).findLast(({ iteration }) => iteration === marked);
  return (row: IterationRow, columns: number): Line => {
    const { iteration, targetsMet, hypothesis, reason } = row;
    return joinCells(
      [
        line(
          String(iteration),
          compared?.iteration === iteration && compared.attempt === row.attempt && span('*', theme.accent),
        ),
        line(stateSpan(evaluationState(row))),
        line(valueText(row)),
        line(span(gainText(row), row.isKept ? theme.good : theme.muted)),
        line(`${targetsMet}/${targets}`),
        line(span(expectedText(hypothesis), theme.muted)),
        line(seenText(row)),
        line(hypothesis?.hypothesis ?? span(reason ?? '', theme.muted)),
      ],
      columnWidths(WIDTHS, columns),
    );
  };
}

function emptiness(model: Model): string {
  if (shownLoop(model)) return 'Nothing is measured yet.';
  return errorOf(model.data, loopQuery(model)) ? '' : 'Loading…';
}

function titleOf(model: Model): string {
  const { opened } = loopState.get(model);
  if (opened?.kind !== 'comparison') return 'Iteration';
  const name = (nth: number) => (nth === 0 ? 'the base' : `iteration ${nth}`);
  return `${name(opened.a)} and ${name(opened.b)}`;
}

function openedLines(model: Model): readonly Line[] {
  const { opened } = loopState.get(model);
  if (!opened) return [];
  const columns = bodySize(model).columns - 2;
  const asked = openedQuery(model, opened);
  const error = errorOf(model.data, asked);
  const answer = answerOf(model.data, asked);
  if (!answer) return wrap(error?.message ?? 'Loading…', columns, error ? theme.bad : theme.muted);
  if ('diff' in answer) return comparisonLines(answer);
  return answer.detail ? detailLines(answer.detail, columns, answer.dates) : [];
}
