import { isTerminal } from '../../../schemas/names.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { PENDING, RUNS, SESSIONS } from '../../model/listQueries.ts';
import { type Model, type Size, type Step, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { EMPTY, type Line, line, span } from '../../text/line.ts';
import { waitsForPerson } from '../../text/sessionWords.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
import { gatesByRun } from '../decisions/waitingGates.ts';
import { messageBindings } from '../messages/messageBindings.ts';
import { messageLines, messageLinesChangeAt, messageQueries } from '../messages/messageLines.ts';
import { runsById } from '../runs/allRuns.ts';
import { createRunSearch } from '../runs/searchedRuns.ts';
import { attachBindings } from '../targets/attachBindings.ts';
import { mergeTargets, type Targets, targetBindings } from '../targets/targets.ts';
import { targetsOfRun, targetsOfSession } from '../targets/targetsOf.ts';
import { SESSIONS_COLUMNS, sessionsHead, sessionsRow, sessionsWidths } from './sessionsRow.ts';

interface Shown {
  /** Also show the sessions of ended runs. */
  readonly ended: boolean;
}
const shown = screenState<Shown>('sessions.shown', { ended: false });

/** Sessions that wait for a person come first, then the order of the daemon. */
function sessionsOf(model: Model): readonly SessionSummary[] {
  const runs = runsById(model);
  const isOpen = ({ runId }: SessionSummary) => {
    const run = runs.get(runId);
    return run !== undefined && !isTerminal(run.state);
  };
  const rank = (session: SessionSummary) => {
    if (!isOpen(session)) return 3;
    if (waitsForPerson(session.stall) || session.state === 'FAILED_NEEDS_HUMAN') return 0;
    return session.paneId === null ? 2 : 1;
  };
  return (answerOf(model.data, SESSIONS) ?? [])
    .filter((session) => shown.get(model).ended || isOpen(session))
    .map((session) => ({ session, rank: rank(session) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ session }) => session);
}

const state = screenState<ListState>('sessions', LIST_START);
const search = createRunSearch(state);

const list = createList<SessionSummary>({
  name: 'sessions',
  state,
  items: sessionsOf,
  keyOf: ({ sessionId }) => sessionId,
  columns: SESSIONS_COLUMNS,
  also: ({ sessionId, runId, state, cwd, stall }) =>
    [sessionId, runId, state, cwd, stall?.cause, stall?.detail].join(' '),
  isFound: (model, { runId }) => search.has(model, runId),
});

function open(model: Model, { sessionId }: SessionSummary): Step {
  return step(goTo(model, { screen: 'session', id: sessionId }));
}

function targetsOf(model: Model, session: SessionSummary | undefined): Targets {
  return mergeTargets(targetsOfSession(session), targetsOfRun(model, session && runsById(model).get(session.runId)));
}

export const sessions: Screen = {
  id: 'sessions',
  tab: 'sessions',
  key: { key: '3', label: 'sessions', help: 'Go to the sessions: the agents in their panes' },
  title: (model) => (shown.get(model).ended ? 'Sessions of all runs' : 'Sessions'),
  queries: (model) => [SESSIONS, RUNS, PENDING, ...search.queries(model), ...messageQueries(list.selected(model))],
  bindings: [
    list.action(
      {
        id: 'sessions.open',
        keys: OPEN_KEYS,
        label: 'open',
        footer: true,
        help: 'Open the session: its state, why it is in it, and its transcript',
      },
      'no session is selected',
      open,
    ),
    ...attachBindings('sessions', list.selected),
    ...messageBindings('sessions', {
      sessionOf: list.selected,
      gatesOf: (model, { runId }) => gatesByRun(model).get(runId) ?? [],
    }),
    ...targetBindings('sessions', (model) => targetsOf(model, list.selected(model))),
    list.action(
      { id: 'sessions.run', keys: ['u'], label: 'run', help: 'Open the run of the selected session' },
      'no session is selected',
      (model, { runId }) => step(goTo(model, { screen: 'run', id: runId })),
    ),
    {
      id: 'sessions.ended',
      keys: ['f'],
      label: 'all sessions',
      footer: true,
      help: 'Show the last 100 sessions of all runs',
      when: (model) => !shown.get(model).ended,
      run: (model) => step(shown.set(model, { ended: true })),
    },
    {
      id: 'sessions.openRuns',
      keys: ['f'],
      label: 'open runs',
      footer: true,
      help: 'Show only the sessions of open runs again',
      when: (model) => shown.get(model).ended,
      run: (model) => step(shown.set(model, { ended: false })),
    },
    ...list.bindings,
  ],
  changesAt(model) {
    const selected = list.selected(model);
    return earliest([
      ...list.rows(model).map(({ lastPromptAt }) => ageChangesAt(lastPromptAt, model.now)),
      selected && messageLinesChangeAt(model, selected),
    ]);
  },
  view(model, size) {
    const runs = runsById(model);
    const rows = { ...size, rows: listRows(model, size) };
    const widths = sessionsWidths(list.rows(model), runs);
    const draw = (session: SessionSummary, columns: number) =>
      sessionsRow(model, { session, run: runs.get(session.runId) }, columns, widths);
    const lines = [
      sessionsHead(size.columns, list.head(model), widths),
      ...list.view(model, rows, draw, emptiness(model)),
    ];
    const below = preview(model, size);
    if (below.length === 0) return lines;
    const above = Array.from({ length: rows.rows + 1 }, (_, row) => lines[row] ?? EMPTY);
    return [...above, line(span('─'.repeat(size.columns), theme.muted)), ...below];
  },
  typing: list.typing,
  onKey: list.onKey,
  onMouse(model, at, size) {
    if (at.row === 0 && at.action === 'click') return undefined;
    const moved = list.onMouse(model, { ...at, row: at.row - 1 }, { ...size, rows: listRows(model, size) });
    const session = list.selected(model);
    if (moved || !session || at.row - 1 >= list.rows(model).length) return moved;
    return open(model, session);
  },
};

const LEAST_ROWS = 16;
const MOST_PREVIEW = 6;

/** What the selected agent said last, and what waits for it. A small terminal has no room. */
function preview(model: Model, { columns, rows }: Size): Line[] {
  const selected = list.selected(model);
  if (!selected || rows < LEAST_ROWS) return [];
  return messageLines(model, selected, { columns: columns - 1, rows: MOST_PREVIEW }).map((each) => line(' ', ...each));
}

/** The rows of the list, below its head and above the preview. */
function listRows(model: Model, size: Size): number {
  const below = preview(model, size).length;
  return size.rows - 1 - (below === 0 ? 0 : below + 1);
}

function emptiness(model: Model): string {
  const error = errorOf(model.data, SESSIONS);
  if (error) return error.message;
  if (!answerOf(model.data, SESSIONS) || !answerOf(model.data, RUNS)) return 'Loading…';
  return shown.get(model).ended ? 'No sessions yet.' : 'No open run has a session. f shows those of ended runs.';
}
