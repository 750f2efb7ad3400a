import { isTerminal } from '../../../schemas/names.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { RUNS, SESSIONS } from '../../model/listQueries.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { waitsForPerson } from '../../text/sessionWords.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
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
  queries: (model) => [SESSIONS, RUNS, ...search.queries(model)],
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
  changesAt: (model) => earliest(list.rows(model).map(({ lastPromptAt }) => ageChangesAt(lastPromptAt, model.now))),
  view(model, size) {
    const runs = runsById(model);
    const rows = { ...size, rows: size.rows - 1 };
    const widths = sessionsWidths(list.rows(model), runs);
    const draw = (session: SessionSummary, columns: number) =>
      sessionsRow(model, { session, run: runs.get(session.runId) }, columns, widths);
    return [sessionsHead(size.columns, list.head(model), widths), ...list.view(model, rows, draw, emptiness(model))];
  },
  typing: list.typing,
  onKey: list.onKey,
  onMouse(model, at, size) {
    if (at.row === 0 && at.action === 'click') return undefined;
    const moved = list.onMouse(model, { ...at, row: at.row - 1 }, { ...size, rows: size.rows - 1 });
    const session = list.selected(model);
    if (moved || !session || at.row - 1 >= list.rows(model).length) return moved;
    return open(model, session);
  },
};

function emptiness(model: Model): string {
  const error = errorOf(model.data, SESSIONS);
  if (error) return error.message;
  if (!answerOf(model.data, SESSIONS) || !answerOf(model.data, RUNS)) return 'Loading…';
  return shown.get(model).ended ? 'No sessions yet.' : 'No open run has a session. f shows those of ended runs.';
}
