import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { SESSIONS } from '../../model/listQueries.ts';
import { type Model, type Size, type Step, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { fitWidth, type Line, line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
import { ANSWER_IN_PANE } from '../decisions/approveTogether.ts';
import { type DecisionRow, rowDecisions } from '../decisions/rowDecisions.ts';
import { noticeRowGate } from '../decisions/rowGate.ts';
import { draftStreams } from '../decisions/unsentDrafts.ts';
import { runActions } from '../run/runActions.ts';
import { defaultSession } from '../run/shownRun.ts';
import { createRunSearch } from '../runs/searchedRuns.ts';
import { attachBindings } from '../targets/attachBindings.ts';
import { mergeTargets, type Targets, targetBindings } from '../targets/targets.ts';
import { targetsOfGate, targetsOfRun, targetsOfSession } from '../targets/targetsOf.ts';
import { approvalPreview } from './approvalPreview.ts';
import { approvalQueries } from './approvalQueries.ts';
import {
  type ApprovalsItem,
  DECIDED_LIMIT,
  DECIDED_QUERIES,
  decidedItems,
  isLoaded,
  WAITING_QUERIES,
  waitingItems,
} from './approvalsItems.ts';
import { hasMarks, isMarked, markBindings, markedQueries, marksTitle } from './approvalsMarks.ts';
import { APPROVALS_COLUMNS, approvalsHead, approvalsRow, approvalsWidths, sinceOf } from './approvalsRow.ts';

interface Shown {
  readonly decided: boolean;
}
const shown = screenState<Shown>('approvals.shown', { decided: false });
const isDecided = (model: Model): boolean => shown.get(model).decided;

const state = screenState<ListState>('approvals', LIST_START);
const search = createRunSearch(state);

const list = createList<ApprovalsItem>({
  name: 'approvals',
  state,
  items: (model) => (isDecided(model) ? decidedItems(model) : waitingItems(model)),
  keyOf: (item) => (item.kind === 'gate' ? item.gate.id : `agent ${item.session.sessionId}`),
  columns: APPROVALS_COLUMNS,
  also: (item) => [item.run?.repoPath, ...hidden(item)].join(' '),
  isFound: (model, item) => search.has(model, item.kind === 'gate' ? item.gate.runId : item.session.runId),
});

/** Texts that `/` also searches, although the row has no room for them. */
function hidden(item: ApprovalsItem): (string | null)[] {
  if (item.kind === 'agent') return ['asks', item.session.runId, item.session.sessionId, item.session.backend];
  const { gateKey, kind, runId, state, id } = item.gate;
  return [gateKey, kind, runId, state, id];
}

/** From this width on, the screen shows a preview beside the list. */
const WITH_PREVIEW = 120;

function listColumns({ columns }: Size): number {
  return columns < WITH_PREVIEW ? columns : Math.max(58, Math.floor(columns * 0.42));
}

const EMPTY_LIST = 'the list is empty';

function open(model: Model, item: ApprovalsItem): Step {
  if (item.kind === 'agent') return step(goTo(model, { screen: 'session', id: item.session.sessionId }));
  return step(goTo(model, { screen: 'approval', id: item.gate.id }));
}

function targetsOf(model: Model): Targets {
  const item = list.selected(model);
  const own = item?.kind === 'agent' ? targetsOfSession(item.session) : targetsOfGate(item?.gate);
  return mergeTargets(own, targetsOfRun(model, item?.run));
}

/** The keys of a run that a list of gates has. Its state is changed in the list of runs. */
const RUN_KEYS = ['D', 'M'];

function decisionRow(model: Model): DecisionRow {
  const item = list.selected(model);
  if (item?.kind === 'gate') return { gates: [item.gate], run: item.run, none: '' };
  return { gates: [], run: item?.run, none: item ? ANSWER_IN_PANE : 'no gate is selected' };
}

/** The agent that asks, else that of the gate's run which needs a person most. */
function sessionOf(model: Model): SessionSummary | undefined {
  const item = list.selected(model);
  if (item?.kind !== 'gate') return item?.session;
  const sessions = (answerOf(model.data, SESSIONS) ?? []).filter(({ runId }) => runId === item.gate.runId);
  return defaultSession({ sessions });
}

export const approvals: Screen = {
  id: 'approvals',
  tab: 'approvals',
  key: { key: '2', label: 'approvals', help: 'Go to the approvals: what waits for a decision' },
  title: (model) => (isDecided(model) ? `Last ${DECIDED_LIMIT} decisions` : 'Approvals'),
  queries(model) {
    const item = list.selected(model);
    const previewed =
      item?.kind === 'gate' && model.size.columns >= WITH_PREVIEW ? approvalQueries(model, item.gate.id) : [];
    const listed = [...(isDecided(model) ? DECIDED_QUERIES : []), ...WAITING_QUERIES, ...search.queries(model)];
    return [...listed, ...previewed, ...markedQueries(model)];
  },
  bindings: [
    list.action(
      {
        id: 'approvals.open',
        keys: OPEN_KEYS,
        label: 'open',
        footer: true,
        help: 'Open the selected gate, or the session of an agent that asks',
      },
      EMPTY_LIST,
      open,
    ),
    {
      id: 'approvals.decided',
      keys: ['f'],
      label: 'decided',
      footer: true,
      help: 'Show the decided gates',
      when: (model) => !isDecided(model),
      run: (model) => step(shown.set(model, { decided: true })),
    },
    {
      id: 'approvals.waiting',
      keys: ['f'],
      label: 'waiting',
      footer: true,
      help: 'Show the waiting gates again',
      when: isDecided,
      run: (model) => step(shown.set(model, { decided: false })),
    },
    list.action(
      { id: 'approvals.run', keys: ['u'], label: 'run', help: 'Open the run of the selected gate or session' },
      EMPTY_LIST,
      (model, item) => {
        const { runId } = item.kind === 'agent' ? item.session : item.gate;
        return step(goTo(model, { screen: 'run', id: runId }));
      },
    ),
    ...rowDecisions('approvals', decisionRow, (model) => !hasMarks(model)),
    ...markBindings(list),
    ...runActions('approvals', (model) => list.selected(model)?.run).filter(({ keys }) =>
      RUN_KEYS.includes(keys[0] ?? ''),
    ),
    ...targetBindings('approvals', targetsOf),
    ...attachBindings('approvals', sessionOf),
    ...list.bindings,
  ],
  streams: draftStreams,
  noticed(before, after) {
    const model = list.settled(after);
    const item = list.selected(model);
    return noticeRowGate(before, model, item?.kind === 'gate' ? item.gate.id : undefined);
  },
  changesAt: (model) => earliest(list.rows(model).map((item) => ageChangesAt(sinceOf(item), model.now))),
  view(model, size) {
    const columns = listColumns(size);
    const widths = approvalsWidths(list.rows(model));
    const draw = (item: ApprovalsItem, cells: number): Line =>
      approvalsRow(model, item, cells, { isMarked: isMarked(model, item), columns: widths });
    const head = { decided: isDecided(model), head: list.head(model), marks: marksTitle(model), widths };
    const rows = { columns, rows: size.rows - 1 };
    const lines = [approvalsHead(columns, head), ...list.view(model, rows, draw, emptiness(model))];
    return columns === size.columns ? lines : beside(lines, preview(model, size), columns, size);
  },
  typing: list.typing,
  onKey: list.onKey,
  onMouse(model, { action, row, column }, size) {
    if (action === 'click' && (row === 0 || column >= listColumns(size))) return undefined;
    const moved = list.onMouse(model, { action, row: row - 1 }, { ...size, rows: size.rows - 1 });
    const item = list.selected(model);
    return moved ?? (item && row - 1 < list.rows(model).length ? open(model, item) : undefined);
  },
};

function preview(model: Model, size: Size): readonly Line[] {
  const item = list.selected(model);
  const columns = size.columns - listColumns(size) - 3;
  return item ? approvalPreview(model, item, { columns, rows: size.rows }) : [];
}

function beside(left: readonly Line[], right: readonly Line[], columns: number, size: Size): Line[] {
  return Array.from({ length: size.rows }, (_, row) => [
    ...fitWidth(left[row] ?? [], columns),
    ...line(span('│ ', theme.muted)),
    ...fitWidth(right[row] ?? [], size.columns - columns - 2),
  ]);
}

function emptiness(model: Model): string {
  const queries = isDecided(model) ? DECIDED_QUERIES : WAITING_QUERIES;
  const error = queries.map((each) => errorOf(model.data, each)).find(Boolean);
  if (error && !answerOf(model.data, queries[0])) return error.message;
  if (!isLoaded(model, isDecided(model))) return 'Loading…';
  if (isDecided(model)) return 'No decisions yet.';
  return 'Nothing waits for you. f shows the decided gates.';
}
