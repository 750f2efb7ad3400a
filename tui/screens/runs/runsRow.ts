import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { isTerminal } from '../../../schemas/terminalStates.ts';
import { age } from '../../text/age.ts';
import { type Line, line, span, textOf } from '../../text/line.ts';
import { baseName, runWord, shortId, waitWords } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../../widgets/columns.ts';
import { beside, layOut, type Width } from '../../widgets/layOut.ts';

/** In the order of `RUN_COLUMNS`. */
const WIDTHS: readonly Width[] = [
  { least: 11, best: 12, worth: 10 },
  { least: 8, best: 8, worth: 8 },
  { least: 11, best: 20, worth: 6 },
  { least: 22, best: 22, worth: 2, needs: 42 },
  { least: 8, best: 14, worth: 7 },
  { least: 4, best: 4, worth: 5 },
  { least: 12, best: 24, worth: 9, grows: true },
];

/** A run in one line: what it is doing first, and at its end, in what room there is, what it waits for. */
export function runRow(run: RunSummary, now: number, columns: number): Line {
  const { waitingFor, waitsForPerson } = run;
  return beside(
    [
      runWord(run),
      line(span(shortId(run.runId), theme.muted)),
      line(baseName(run.repoPath)),
      line(span(run.template, theme.muted)),
      progressOf(run),
      line(span(age(run.endedAt ?? run.createdAt, now).padStart(AGE), theme.muted)),
      line(waitingFor !== null && span(shortly(waitingFor), waitsForPerson ? theme.warn : theme.muted)),
    ],
    layOut(WIDTHS, columns),
  );
}

const AGE = 4;

/** The state says already that it is a decision. */
function shortly(waitingFor: string): string {
  return waitWords(waitingFor).replace(/^a decision at /, '');
}

/** What `runRow` shows; a narrow terminal leaves some of it out. */
export const RUN_COLUMNS: readonly Column<RunSummary>[] = [
  { title: 'state', text: (run) => textOf(runWord(run)) },
  { title: 'run', text: ({ runId }) => shortId(runId) },
  { title: 'repository', text: ({ repoPath }) => baseName(repoPath) },
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
  { title: 'waits for', text: ({ waitingFor }) => (waitingFor === null ? '' : shortly(waitingFor)) },
];

/** The names of the columns of `runRow`. */
export function runRowHead(columns: number, head: Head): Line {
  const titles = RUN_COLUMNS.map(({ title }) => head(title));
  const aligned = titles.map((title, at) => (RUN_COLUMNS[at]?.title === 'age' ? title.padStart(AGE) : title));
  // One cell stands before each row, for the selection.
  const names = aligned.map((title) => line(span(title, theme.muted)));
  return line(' ', ...beside(names, layOut(WIDTHS, columns - 1)));
}

/** `2/4 implement`: phases that are done, all, and the one it is in. */
function progressOf({ progress: { done, total }, currentPhase, state }: RunSummary): Line {
  const phase = currentPhase === null || isTerminal(state) ? '' : ` ${currentPhase}`;
  return line(span(`${done}/${total}`, done === total ? theme.good : undefined), phase);
}
