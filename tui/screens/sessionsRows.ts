import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../schemas/rpc/views/session.ts';
import { stallState } from '../../schemas/states/stall.ts';
import type { Model } from '../model/model.ts';
import { age } from '../text/age.ts';
import { type Line, line, type Style, sized, span, textOf } from '../text/line.ts';
import { baseName, shortId } from '../text/runWords.ts';
import { sessionStateWord, stallWords } from '../text/sessionWords.ts';
import { styleOf } from '../text/stateWord.ts';
import { theme } from '../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../widgets/columns.ts';
import { runsOf } from './inbox.ts';

/** Above this there is room for what a narrow terminal leaves out. */
export const WIDE = 120;

/** What keeps it, in the place of what its state would say. */
function stateOf({ stall, state }: SessionSummary, model: Model, columns: number): Line {
  if (stall === null) return sized(sessionStateWord(state), columns);
  const kept = stallState(stall.cause);
  return sized(line(span(`${kept.sign} ${stallWords(stall, model.now)}`, styleOf(kept))), columns);
}

const cellOf = (text: string, cells: number, look?: Style): Line => sized(line(span(text, look)), cells);

/** `● busy        implementer  codex   a1b2c3d4 my-repo   %12   4m`, wider with what there is room for. */
export function sessionRow(model: Model, session: SessionSummary, run: RunSummary | undefined, columns: number): Line {
  const isWide = columns >= WIDE - 1;
  const state = isWide ? Math.max(24, columns - 94) : Math.max(12, columns - 60);
  return line(
    ...stateOf(session, model, state),
    ' ',
    ...cellOf(session.roleId, isWide ? 18 : 12, theme.title),
    ' ',
    ...cellOf(session.backend, 9),
    ...cellOf(shortId(session.runId), 9, theme.accent),
    ...cellOf(repositoryOf(run), isWide ? 24 : 14),
    ' ',
    ...cellOf(session.paneId ?? '', 6, theme.muted),
    ...cellOf(age(session.lastPromptAt, model.now).padStart(4), 5, theme.muted),
    isWide && span(shortId(session.sessionId), theme.muted),
  );
}

/** What `sessionRow` shows; a narrow terminal leaves some of it out. */
export const SESSION_COLUMNS: readonly Column<SessionSummary>[] = [
  {
    title: 'state',
    text: (session, model) => textOf(stateOf(session, model, WHOLE)).trimEnd(),
  },
  { title: 'role', text: ({ roleId }) => roleId },
  { title: 'agent', text: ({ backend }) => backend },
  { title: 'run', text: ({ runId }) => shortId(runId) },
  { title: 'repository', text: ({ runId }, model) => repositoryOf(runsOf(model).get(runId)) },
  { title: 'pane', text: ({ paneId }) => paneId ?? '', order: ({ paneId }) => Number(paneId?.slice(1) ?? Number.NaN) },
  {
    title: 'told',
    text: ({ lastPromptAt }, { now }) => age(lastPromptAt, now),
    order: ({ lastPromptAt }) => youngestFirst(lastPromptAt),
  },
  { title: 'session', text: ({ sessionId }) => shortId(sessionId) },
];

/** Cells in which nothing is cut. */
const WHOLE = 1000;

function repositoryOf(run: RunSummary | undefined): string {
  return run === undefined ? '' : baseName(run.repoPath);
}

/** Over the rows, what their columns are. */
export function sessionHead(columns: number, head: Head): Line {
  const isWide = columns >= WIDE;
  const state = isWide ? Math.max(24, columns - 95) : Math.max(12, columns - 61);
  const names: [string, number][] = [
    [` ${head('state')}`, state + 2],
    [head('role'), isWide ? 19 : 13],
    [head('agent'), 9],
    [head('run'), 9],
    [head('repository'), isWide ? 25 : 15],
    [head('pane'), 6],
    [head('told'), 5],
    [head('session'), isWide ? 8 : 0],
  ];
  return sized(line(...names.flatMap(([name, cells]) => cellOf(name, cells, theme.muted))), columns);
}
