import { takesMessage } from '../../../schemas/gates/gateKinds.ts';
import { isTerminal } from '../../../schemas/names.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { type Binding, bindingsWhile } from '../../model/binding.ts';
import { PAUSED, PENDING, RUNS } from '../../model/listQueries.ts';
import { type Model, type Size, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, query } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { EMPTY, fitWidth, type Line, line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
import { ANSWER_IN_PANE } from '../decisions/approveTogether.ts';
import { type DecisionRow, rowDecisions } from '../decisions/rowDecisions.ts';
import { noticeRowGate } from '../decisions/rowGate.ts';
import { draftStreams } from '../decisions/unsentDrafts.ts';
import { gatesByRun } from '../decisions/waitingGates.ts';
import { messageBindings } from '../messages/messageBindings.ts';
import { messageLinesChangeAt, messageQueries } from '../messages/messageLines.ts';
import { runActions } from '../run/runActions.ts';
import { defaultSession } from '../run/shownRun.ts';
import { attachBindings } from '../targets/attachBindings.ts';
import { targetBindings } from '../targets/targets.ts';
import { targetsOfRun } from '../targets/targetsOf.ts';
import { sortRuns } from './allRuns.ts';
import { createRunsMarks, isMarked } from './runsMarks.ts';
import { previewChangesAt, previewLines, previewQueries } from './runsPreview.ts';
import { RUNS_COLUMNS, runsHead, runsRow, runsWidths } from './runsRow.ts';
import { createRunSearch, createUnion } from './searchedRuns.ts';

const NONE: readonly RunSummary[] = [];

const state = screenState<ListState>('runs', LIST_START);
const search = createRunSearch(state);
const union = createUnion();

const itemsOf = (model: Model) => sortRuns(union(answerOf(model.data, RUNS) ?? NONE, search.runs(model)));

const list = createList<RunSummary>({
  name: 'runs',
  state,
  items: itemsOf,
  keyOf: (run) => run.runId,
  columns: RUNS_COLUMNS,
  also: ({ runId, state, repoPath }) => [runId, state, repoPath].join(' '),
  isFound: (model, { runId }) => search.has(model, runId),
});

const marks = createRunsMarks({ ...list, items: itemsOf });

/** The gates of the selected run, the oldest first. */
function decisionRow(model: Model): DecisionRow {
  const run = list.selected(model);
  const gates = (run && gatesByRun(model).get(run.runId)) ?? [];
  if (!run) return { gates, run, none: 'no run is selected' };
  const asks = run.waitsForPerson ? ANSWER_IN_PANE : 'no gate of the run waits for you';
  return { gates, run, none: isTerminal(run.state) ? 'the run has ended' : asks };
}

const isUnmarked = (model: Model): boolean => !marks.hasMarks(model);
const hasEndedTurn = (model: Model): boolean => decisionRow(model).gates.some(takesMessage);

const actions = runActions('runs', list.selected);
/** While runs are marked, these keys act on all of them. */
const isOfMarked = ({ keys }: Binding): boolean => keys.includes('X') || keys.includes('C');
const endsOneRun = actions.filter(isOfMarked);
const ofOneRun = actions.filter((each) => !isOfMarked(each));

function sessionOf(model: Model): SessionSummary | undefined {
  const run = list.selected(model);
  return run && defaultSession(answerOf(model.data, query('run.get', { runId: run.runId })));
}

export const runs: Screen = {
  id: 'runs',
  tab: 'runs',
  key: { key: '1', label: 'runs', help: 'Go to the runs' },
  title: () => 'Runs',
  queries: (model) => [
    ...[RUNS, PENDING, PAUSED],
    ...search.queries(model),
    ...previewQueries(model, list.selected(model)?.runId),
    ...messageQueries(sessionOf(model)),
  ],
  bindings: [
    list.action(
      { id: 'runs.open', keys: OPEN_KEYS, label: 'open', help: 'Open the selected run', footer: true },
      'no run is selected',
      (model, { runId }) => step(goTo(model, { screen: 'run', id: runId })),
    ),
    ...rowDecisions('runs', decisionRow, isUnmarked, (model) => isUnmarked(model) && hasEndedTurn(model)),
    ...attachBindings('runs', sessionOf),
    ...messageBindings('runs', {
      sessionOf,
      gatesOf: (model) => decisionRow(model).gates,
      none(model) {
        const run = list.selected(model);
        if (!run) return 'no run is selected';
        return isTerminal(run.state) ? 'the run has ended' : 'the run has no agent yet';
      },
      writes: (model) => isUnmarked(model) && !hasEndedTurn(model),
    }),
    ...marks.bindings,
    ...ofOneRun,
    ...bindingsWhile(isUnmarked, endsOneRun),
    ...targetBindings('runs', (model) => targetsOfRun(model, list.selected(model))),
    ...list.bindings,
  ],
  streams: draftStreams,
  noticed(before, after) {
    const model = list.settled(after);
    return noticeRowGate(before, model, decisionRow(model).gates[0]?.id);
  },
  changesAt(model) {
    const session = sessionOf(model);
    return earliest([
      ...list.rows(model).map(({ endedAt, createdAt }) => ageChangesAt(endedAt ?? createdAt, model.now)),
      previewChangesAt(model, list.selected(model)?.runId),
      session && messageLinesChangeAt(model, session),
    ]);
  },
  view(model, size) {
    const { listSize, preview } = layout(model, size);
    const empty = answerOf(model.data, RUNS) ? 'No runs yet. Press n to start one.' : 'Loading…';
    const widths = runsWidths(list.rows(model));
    const lines = [
      runsHead(listSize.columns, list.head(model), { widths, marks: marks.title(model) }),
      ...list.view(
        model,
        listSize,
        (run, columns) => runsRow(run, model.now, columns, { widths, isMarked: isMarked(model, run) }),
        empty,
      ),
    ];
    const selected = list.selected(model);
    if (!selected || !preview) return lines;
    const shown = previewLines(model, selected.runId, preview);
    if (preview.columns === size.columns) {
      const above = Array.from({ length: listSize.rows + 1 }, (_, row) => lines[row] ?? EMPTY);
      return [...above, line(span('─'.repeat(size.columns), theme.muted)), ...shown];
    }
    return Array.from(
      { length: size.rows },
      (_, row): Line => [
        ...fitWidth(lines[row] ?? EMPTY, listSize.columns),
        span('│ ', theme.muted),
        ...(shown[row] ?? EMPTY),
      ],
    );
  },
  typing: list.typing,
  onKey: list.onKey,
  onMouse(model, at, size) {
    const { listSize } = layout(model, size);
    if (at.row === 0 || at.column >= listSize.columns) return undefined;
    return list.onMouse(model, { ...at, row: at.row - 1 }, listSize);
  },
};

const BESIDE_FROM = 140;
const LEAST_ROWS = 16;

/** The preview stands beside a wide list, below a high one, and has no room in a small terminal. */
function layout(model: Model, { columns, rows }: Size): { listSize: Size; preview?: Size } {
  if (columns >= BESIDE_FROM) {
    const left = Math.max(78, Math.floor(columns * 0.58));
    return { listSize: { columns: left, rows: rows - 1 }, preview: { columns: columns - left - 2, rows } };
  }
  if (rows < LEAST_ROWS) return { listSize: { columns, rows: rows - 1 } };
  const most = Math.max(5, Math.floor(rows * 0.45));
  const height = Math.max(3, Math.min(list.rows(model).length + 1, most));
  return { listSize: { columns, rows: height }, preview: { columns, rows: rows - height - 2 } };
}
