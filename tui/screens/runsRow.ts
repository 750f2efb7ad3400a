import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import { isTerminal } from '../../schemas/terminalStates.ts';
import { age } from '../text/age.ts';
import { type Line, line, sized, span, textOf } from '../text/line.ts';
import { baseName, runWord, shortId, waitWords } from '../text/runWords.ts';
import { theme } from '../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../widgets/columns.ts';

/** Where the template has room, and where the columns may be wider. */
const WIDE = 92;

/** A run in one line: what it is doing first, and at its end, in what room there is, what it waits for. */
export function runRow(run: RunSummary, now: number, columns: number): Line {
  const wide = columns >= WIDE;
  const progress = progressOf(run);
  return line(
    ...sized(runWord(run), 13),
    ...sized(line(span(shortId(run.runId), theme.muted)), wide ? 10 : 9),
    ...sized(line(baseName(run.repoPath)), wide ? 20 : 14),
    ' ',
    ...(wide ? [...sized(line(span(run.template, theme.muted)), 22), span(' ')] : []),
    ...sized(progress, wide ? 22 : 15),
    ' ',
    ...sized(line(span(age(run.endedAt ?? run.createdAt, now).padStart(3), theme.muted)), 4),
    ...(run.waitingFor === null ? [] : [span(shortly(run.waitingFor), run.waitsForPerson ? theme.warn : theme.muted)]),
  );
}

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
  const wide = columns >= WIDE;
  const titles: [string, number][] = [
    ['state', 13],
    ['run', wide ? 10 : 9],
    ['repository', wide ? 21 : 15],
    ...(wide ? ([['template', 23]] as [string, number][]) : []),
    ['phases', wide ? 23 : 16],
    ['age', 4],
    ['waits for', 9],
  ];
  return sized(
    line(span(` ${titles.map(([title, width]) => head(title).padEnd(width)).join('')}`, theme.muted)),
    columns,
  );
}

/** `2/4 implement`: phases that are done, all, and the one it is in. */
function progressOf({ progress: { done, total }, currentPhase, state }: RunSummary): Line {
  const phase = currentPhase === null || isTerminal(state) ? '' : ` ${currentPhase}`;
  return line(span(`${done}/${total}`, done === total ? theme.good : undefined), phase);
}
