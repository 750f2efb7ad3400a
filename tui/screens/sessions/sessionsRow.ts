import { agentName } from '../../../schemas/mainLane.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { stallState } from '../../../schemas/states/stall.ts';
import { TITLE_LENGTH } from '../../../schemas/text/titleOf.ts';
import { age } from '../../../schemas/time/duration.ts';
import type { Model } from '../../model/model.ts';
import { type Line, line, span, textOf } from '../../text/line.ts';
import { repositoryName, shortId } from '../../text/runWords.ts';
import { sessionStateWord, stallWords } from '../../text/sessionWords.ts';
import { styleOf } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../../widgets/columns.ts';
import {
  areMixed,
  type ColumnWidth,
  columnWidths,
  givingWay,
  joinCells,
  sameColumns,
  titleLine,
  withColumns,
} from '../../widgets/columnWidths.ts';
import { waitingSign } from '../messages/messageLines.ts';
import { runsById } from '../runs/allRuns.ts';

/** In the order of `SESSIONS_COLUMNS`. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 12, ideal: 24, priority: 10, grows: true },
  { min: 11, ideal: 18, priority: 9 },
  { min: 7, ideal: 8, priority: 5 },
  { min: 8, ideal: 8, priority: 7 },
  { min: 12, ideal: 36, priority: 10.5, grows: TITLE_LENGTH },
  { min: 11, ideal: 24, priority: 1.5, reserve: 35 },
  { min: 5, ideal: 6, priority: 4 },
  { min: 6, ideal: 7, priority: 3 },
  { min: 8, ideal: 8, priority: 2, reserve: 24 },
];
const PROMPT_AGE = 6;

/** Where repositories differ, they tell the agents apart better than the time of a prompt. */
const MIXED = withColumns(WIDTHS, { 5: { priority: 6, reserve: 11 }, 7: { reserve: 18 } });

/** Backend and repository give way if they are the same in all rows. */
export function sessionsWidths(
  sessions: readonly SessionSummary[],
  runs: ReadonlyMap<string, RunSummary>,
): readonly ColumnWidth[] {
  const repository = ({ runId }: SessionSummary) => repositoryOf(runs.get(runId));
  return givingWay(
    areMixed(sessions, repository) ? MIXED : WIDTHS,
    sameColumns(sessions, { 2: ({ backend }) => backend, 5: repository }),
  );
}

/** A stall takes the place of the state. */
function stateOf({ stall, state }: SessionSummary, model: Model): Line {
  if (stall === null) return sessionStateWord(state);
  const cause = stallState(stall.cause);
  return line(span(`${cause.sign} ${stallWords(stall, model.now)}`, styleOf(cause)));
}

/** `● busy        implementer  codex   a1b2c3d4 my-repo   %12   4m`. */
export function sessionsRow(
  model: Model,
  { session, run }: { session: SessionSummary; run: RunSummary | undefined },
  columns: number,
  widths = WIDTHS,
): Line {
  return joinCells(
    [
      stateOf(session, model),
      line(span(agentName(session), theme.title), ...waitingSign(session)),
      line(session.backend),
      line(span(shortId(session.runId), theme.accent)),
      line(span(session.runTitle ?? '', theme.title)),
      line(repositoryOf(run)),
      line(span(session.paneId ?? '', theme.muted)),
      line(span(age(session.lastPromptAt, model.now).padStart(PROMPT_AGE), theme.muted)),
      line(span(shortId(session.sessionId), theme.muted)),
    ],
    columnWidths(widths, columns),
  );
}

/** The columns of `sessionsRow`; a narrow terminal leaves some out. */
export const SESSIONS_COLUMNS: readonly Column<SessionSummary>[] = [
  {
    title: 'state',
    text: (session, model) => textOf(stateOf(session, model)),
  },
  { title: 'role', text: agentName },
  { title: 'backend', text: ({ backend }) => backend },
  { title: 'run', text: ({ runId }) => shortId(runId) },
  { title: 'title', text: ({ runTitle }) => runTitle ?? '' },
  { title: 'repository', text: ({ runId }, model) => repositoryOf(runsById(model).get(runId)) },
  { title: 'pane', text: ({ paneId }) => paneId ?? '', order: ({ paneId }) => Number(paneId?.slice(1) ?? Number.NaN) },
  {
    title: 'prompt',
    text: ({ lastPromptAt }, { now }) => age(lastPromptAt, now),
    order: ({ lastPromptAt }) => youngestFirst(lastPromptAt),
  },
  { title: 'session', text: ({ sessionId }) => shortId(sessionId) },
];

function repositoryOf(run: RunSummary | undefined): string {
  return run === undefined ? '' : repositoryName(run);
}

/** The column titles above the rows. */
export function sessionsHead(columns: number, head: Head, widths = WIDTHS): Line {
  return titleLine(
    SESSIONS_COLUMNS.map(({ title }) => head(title)),
    widths,
    columns,
  );
}
