import { isTerminal } from '../../../schemas/names.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { age } from '../../../schemas/time/duration.ts';
import { type Line, line, span, textOf } from '../../text/line.ts';
import { repositoryName, runWord, shortId, waitWords } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../../widgets/columns.ts';
import { type ColumnWidth, columnWidths, joinCells, titleLine } from '../../widgets/columnWidths.ts';

/** In the order of `RUNS_COLUMNS`. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 11, ideal: 12, priority: 10 },
  { min: 8, ideal: 8, priority: 8 },
  { min: 11, ideal: 20, priority: 6 },
  { min: 22, ideal: 22, priority: 2, reserve: 42 },
  { min: 8, ideal: 14, priority: 7 },
  { min: 4, ideal: 4, priority: 5 },
  { min: 12, ideal: 24, priority: 9, grows: true },
];

/** A run in one line: its state first, and last what it waits for, as far as there is room. */
export function runsRow(run: RunSummary, now: number, columns: number): Line {
  const { waitingFor, waitsForPerson } = run;
  return joinCells(
    [
      runWord(run),
      line(span(shortId(run.runId), theme.muted)),
      line(repositoryName(run)),
      line(span(run.template, theme.muted)),
      progressOf(run),
      line(span(age(run.endedAt ?? run.createdAt, now).padStart(AGE), theme.muted)),
      line(waitingFor !== null && span(shortly(waitingFor), waitsForPerson ? theme.warn : theme.muted)),
    ],
    columnWidths(WIDTHS, columns),
  );
}

const AGE = 4;

/** The state already says that the run waits for a decision. */
function shortly(waitingFor: string): string {
  return waitWords(waitingFor).replace(/^a decision at /, '');
}

/** The columns of `runsRow`; a narrow terminal leaves some out. */
export const RUNS_COLUMNS: readonly Column<RunSummary>[] = [
  { title: 'state', text: (run) => textOf(runWord(run)) },
  { title: 'run', text: ({ runId }) => shortId(runId) },
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
export function runsHead(columns: number, head: Head): Line {
  const titles = RUNS_COLUMNS.map(({ title }) => (title === 'age' ? head(title).padStart(AGE) : head(title)));
  return titleLine(titles, WIDTHS, columns);
}

/** `2/4 implement`: completed phases, all phases, the current one. */
function progressOf({ progress: { done, total }, currentPhase, state }: RunSummary): Line {
  const phase = currentPhase === null || isTerminal(state) ? '' : ` ${currentPhase}`;
  return line(span(`${done}/${total}`, done === total ? theme.good : undefined), phase);
}
