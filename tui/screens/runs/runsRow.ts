import { isTerminal } from '../../../schemas/names.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { runState } from '../../../schemas/states/run.ts';
import { TITLE_LENGTH } from '../../../schemas/text/titleOf.ts';
import { age } from '../../../schemas/time/duration.ts';
import { type Line, line, span, textOf } from '../../text/line.ts';
import { repositoryName, runWord, shortId, waitWords } from '../../text/runWords.ts';
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

/** Cells of `✗ blocked by 12`. */
const BLOCKED = 15;

/** In the order of `RUNS_COLUMNS`. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 11, ideal: 12, priority: 10 },
  { min: 8, ideal: 8, priority: 8 },
  { min: 16, ideal: 36, priority: 6, grows: TITLE_LENGTH },
  { min: 11, ideal: 20, priority: 3, reserve: 31 },
  { min: 22, ideal: 22, priority: 2, reserve: 42 },
  { min: 8, ideal: 14, priority: 7 },
  { min: 4, ideal: 4, priority: 4 },
  { min: 12, ideal: 24, priority: 5, grows: true },
];

/** Where repositories differ, they tell the runs apart better than what a run waits for, which its state says shortly. */
const MIXED = withColumns(WIDTHS, { 3: { ideal: 14, priority: 5.5, reserve: 11 }, 7: { priority: 3.5, reserve: 30 } });

/** The same with room for `blocked by 12`. Constant, because widths are remembered for a list of columns. */
const [WIDTHS_BLOCKED, MIXED_BLOCKED] = [WIDTHS, MIXED].map((widths) =>
  withColumns(widths, { 0: { min: BLOCKED, ideal: BLOCKED } }),
) as [readonly ColumnWidth[], readonly ColumnWidth[]];

/** Repository and template give way if they are the same in all rows. */
export function runsWidths(rows: readonly RunSummary[]): readonly ColumnWidth[] {
  const isBlocked = rows.some(({ outcome }) => outcome?.word === 'blocked');
  const [plain, blocked] = areMixed(rows, repositoryName) ? [MIXED, MIXED_BLOCKED] : [WIDTHS, WIDTHS_BLOCKED];
  return givingWay(
    isBlocked ? blocked : plain,
    sameColumns(rows, { 3: repositoryName, 4: ({ template }) => template }),
  );
}

/** A run in one line: its state first, and last what it waits for, as far as there is room. */
export function runsRow(
  run: RunSummary,
  now: number,
  columns: number,
  { widths = WIDTHS, isMarked = false }: { widths?: readonly ColumnWidth[]; isMarked?: boolean } = {},
): Line {
  const { waitingFor, waitsForPerson } = run;
  return joinCells(
    [
      isMarked ? markedWord(run) : runWord(run),
      line(span(shortId(run.runId), theme.muted)),
      line(span(run.title ?? '', theme.title)),
      line(repositoryName(run)),
      line(span(run.template, theme.muted)),
      progressOf(run),
      line(span(age(run.endedAt ?? run.createdAt, now).padStart(AGE), theme.muted)),
      line(waitingFor !== null && span(shortly(waitingFor), waitsForPerson ? theme.warn : theme.muted)),
    ],
    columnWidths(widths, columns),
  );
}

const AGE = 4;

/** The word of the state stays, and the mark takes the place of its sign. */
function markedWord(run: RunSummary): Line {
  const state = runState(run);
  return line(span('* ', theme.accent), span(state.word, styleOf(state)));
}

/** The state already says that the run waits for a decision. */
function shortly(waitingFor: string): string {
  return waitWords(waitingFor).replace(/^a decision at /, '');
}

/** The columns of `runsRow`; a narrow terminal leaves some out. */
export const RUNS_COLUMNS: readonly Column<RunSummary>[] = [
  { title: 'state', text: (run) => textOf(runWord(run)) },
  { title: 'run', text: ({ runId }) => shortId(runId) },
  { title: 'title', text: ({ title }) => title ?? '' },
  { title: 'repository', text: (run) => repositoryName(run) },
  { title: 'template', text: ({ template }) => template },
  {
    title: 'phases',
    text: (run) => textOf(progressOf(run)),
    order: ({ progress: { done, total } }) => done / Math.max(1, total),
  },
  {
    title: 'age',
    text: ({ endedAt, createdAt }, { now }) => age(endedAt ?? createdAt, now),
    order: ({ endedAt, createdAt }) => youngestFirst(endedAt ?? createdAt),
  },
  { title: 'waiting for', text: ({ waitingFor }) => (waitingFor === null ? '' : shortly(waitingFor)) },
];

/** The column titles above the rows. */
export function runsHead(
  columns: number,
  head: Head,
  { widths = WIDTHS, marks = '' }: { widths?: readonly ColumnWidth[]; marks?: string } = {},
): Line {
  const shown = (title: string) => {
    if (title === 'age') return head(title).padStart(AGE);
    return title === 'title' ? head(title, `title${marks}`) : head(title);
  };
  return titleLine(
    RUNS_COLUMNS.map(({ title }) => shown(title)),
    widths,
    columns,
  );
}

/** `2/4 implement`: completed phases, all phases, the current one. */
function progressOf({ progress: { done, total }, currentPhase, state }: RunSummary): Line {
  const phase = currentPhase === null || isTerminal(state) ? '' : ` ${currentPhase}`;
  return line(span(`${done}/${total}`, done === total ? theme.good : undefined), phase);
}
