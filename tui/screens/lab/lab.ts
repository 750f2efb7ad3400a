import { numberText } from '../../../schemas/objective/words.ts';
import type { LoopSummary } from '../../../schemas/rpc/views/backtest.ts';
import { runState as stateOfRun } from '../../../schemas/states/run.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { age } from '../../../schemas/time/duration.ts';
import { type Model, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { fitWidth, type Line, line, span } from '../../text/line.ts';
import { shortId } from '../../text/runWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { type Column, type Head, youngestFirst } from '../../widgets/columns.ts';
import { type ColumnWidth, columnWidths, joinCells, titleLine } from '../../widgets/columnWidths.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';

const LOOPS = query('backtest.list', {});
const NONE: readonly LoopSummary[] = [];

const valueOr = (value: number | null | undefined) => (value === null || value === undefined ? '-' : numberText(value));
const targetsText = ({ best, targets }: LoopSummary) => `${best?.targetsMet ?? 0}/${targets}`;

/** The columns of a row; a narrow terminal leaves some out. */
const COLUMNS: readonly Column<LoopSummary>[] = [
  { title: 'run', text: ({ runId }) => shortId(runId) },
  { title: 'state', text: (loop) => stateOfRun(loop).word },
  { title: 'metric', text: ({ metric }) => metric },
  { title: 'base', text: ({ base }) => valueOr(base), order: ({ base }) => base ?? 0 },
  { title: 'best', text: ({ best }) => valueOr(best?.value), order: ({ best }) => best?.value ?? 0 },
  { title: 'targets', text: targetsText },
  { title: 'iterations', text: ({ iterations }) => String(iterations), order: ({ iterations }) => iterations },
  { title: 'stop', text: ({ stop }) => stop ?? '' },
  {
    title: 'age',
    text: ({ createdAt }, { now }) => age(createdAt, now),
    order: ({ createdAt }) => youngestFirst(createdAt),
  },
  { title: 'repository', text: ({ repoPath }) => repoPath },
];

/** In the order of the columns. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 8, ideal: 8, priority: 20 },
  { min: 12, ideal: 17, priority: 18 },
  { min: 8, ideal: 14, priority: 17 },
  { min: 9, ideal: 9, priority: 16 },
  { min: 9, ideal: 9, priority: 19 },
  { min: 7, ideal: 7, priority: 15 },
  { min: 10, ideal: 10, priority: 13 },
  { min: 8, ideal: 8, priority: 14 },
  { min: 4, ideal: 4, priority: 12 },
  { min: 16, ideal: 30, priority: 11, grows: true },
];

const list = createList<LoopSummary>({
  name: 'lab',
  state: screenState<ListState>('lab', LIST_START),
  items: (model) => answerOf(model.data, LOOPS) ?? NONE,
  keyOf: ({ runId }) => runId,
  columns: COLUMNS,
  also: ({ runId, template }) => `${runId} ${template}`,
});

function open(model: Model, { runId }: LoopSummary) {
  return step(goTo(model, { screen: 'loop', id: runId }));
}

/** Backtest Lab: the runs that are judged by measurements. */
export const lab: Screen = {
  id: 'lab',
  tab: 'lab',
  key: { key: '9', label: 'lab', help: 'Go to the Lab: runs that are judged by measurements' },
  title: () => 'Backtest Lab',
  queries: () => [LOOPS],
  changesAt: (model) => earliest(list.rows(model).map(({ createdAt }) => ageChangesAt(createdAt, model.now))),
  bindings: [
    list.action(
      {
        id: 'lab.open',
        keys: OPEN_KEYS,
        label: 'iterations',
        footer: true,
        help: 'Show what the run measured in its iterations',
      },
      'no run is selected',
      open,
    ),
    ...list.bindings,
  ],
  view(model, size) {
    const found = answerOf(model.data, LOOPS);
    const sum = found && line(' ', span(counted(found.length, 'run'), theme.title));
    const top = fitWidth(sum ?? line(' '), size.columns);
    const rows = { ...size, rows: size.rows - 2 };
    return [top, head(size.columns, list.head(model)), ...list.view(model, rows, draw(model), emptiness(model))];
  },
  typing: list.typing,
  onKey: list.onKey,
  onMouse(model, at, size) {
    if (at.row < 2) return undefined;
    const moved = list.onMouse(model, { ...at, row: at.row - 2 }, { ...size, rows: size.rows - 2 });
    const selected = list.selected(model);
    return moved ?? (selected && open(model, selected));
  },
};

function head(columns: number, titles: Head): Line {
  return titleLine(
    COLUMNS.map(({ title }) => titles(title)),
    WIDTHS,
    columns,
  );
}

const draw =
  ({ now }: Model) =>
  (loop: LoopSummary, columns: number): Line => {
    const { runId, metric, base, best, iterations, stop, createdAt, repoPath } = loop;
    return joinCells(
      [
        line(span(shortId(runId), theme.accent)),
        line(stateSpan(stateOfRun(loop))),
        line(metric),
        line(valueOr(base)),
        line(span(valueOr(best?.value), theme.title)),
        line(targetsText(loop)),
        line(String(iterations)),
        line(stop ?? ''),
        line(span(age(createdAt, now).padStart(4), theme.muted)),
        line(span(repoPath, theme.muted)),
      ],
      columnWidths(WIDTHS, columns),
    );
  };

function emptiness(model: Model): string {
  if (answerOf(model.data, LOOPS)) return 'Nothing is measured yet. docs/objectives.md says how to begin.';
  return errorOf(model.data, LOOPS)?.message ?? 'Loading…';
}
