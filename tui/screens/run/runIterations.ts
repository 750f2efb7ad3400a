import type { IterationView, RunDetail } from '../../../schemas/rpc/views/run.ts';
import { ITERATION_STATES, type IterationState } from '../../../schemas/states/contracts.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { screenState } from '../../model/place.ts';
import { elapsed } from '../../text/elapsed.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { fact } from '../../text/runWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { clock } from '../../text/time.ts';
import { type ColumnWidth, columnWidths, joinCells } from '../../widgets/columnWidths.ts';
import { createList, LIST_START, type ListState } from '../../widgets/list.ts';
import { listSection, type RunSection } from './runSection.ts';
import { shownRun } from './shownRun.ts';

const NONE: readonly IterationView[] = [];

export function iterationOf(run: RunDetail | undefined, nth: string): IterationView | undefined {
  return run?.iterations?.find((each) => String(each.nth) === nth);
}

const list = createList<IterationView>({
  name: 'run.iterations',
  state: screenState<ListState>('run iterations', LIST_START),
  items: (model) => shownRun(model)?.iterations ?? NONE,
  keyOf: ({ nth }) => String(nth),
  headless: true,
  columns: [
    { title: 'number', text: ({ nth }) => String(nth), order: ({ nth }) => nth },
    { title: 'outcome', text: (each) => ITERATION_STATES[outcomeOf(each)].word },
    { title: 'issues', text: ({ issues }) => counted(issues, 'issue'), order: ({ issues }) => issues },
    {
      title: 'duration',
      text: ({ startedAt, endedAt }, { now }) => elapsed(startedAt, endedAt, now),
      order: ({ startedAt, endedAt }) => Date.parse(endedAt ?? '') - Date.parse(startedAt),
    },
    { title: 'extension', text: ({ extension }) => extension ?? '' },
  ],
});

/** The passes of the phases that the run repeats. */
export const iterations: RunSection = {
  id: 'iterations',
  title: 'Iterations',
  exists: (run) => run.iterations !== undefined,
  count: (run) => run.iterations?.length,
  ...listSection(list, 'iteration', ({ nth }) => String(nth)),
  view: (model, _run, size) =>
    list.view(model, size, (each, columns) => row(each, model.now, columns), 'No iterations yet.'),
};

function outcomeOf({ resolved }: IterationView): IterationState {
  if (resolved === null) return 'running';
  return resolved ? 'resolved' : 'unresolved';
}

/** In the order of the columns. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 3, ideal: 4, priority: 10 },
  { min: 12, ideal: 12, priority: 9 },
  { min: 10, ideal: 10, priority: 7 },
  { min: 8, ideal: 8, priority: 6 },
  { min: 16, ideal: 60, priority: 8, grows: true },
];

function row(iteration: IterationView, now: number, columns: number): Line {
  const { nth, issues, startedAt, endedAt, extension } = iteration;
  return joinCells(
    [
      line(String(nth)),
      line(stateSpan(ITERATION_STATES[outcomeOf(iteration)])),
      line(counted(issues, 'issue')),
      line(span(elapsed(startedAt, endedAt, now), theme.muted)),
      line(extension ?? span('without an extension', theme.muted)),
    ],
    columnWidths(WIDTHS, columns),
  );
}

/** An iteration in full, with what a person asked for. */
export function iterationLines(iteration: IterationView, columns: number, now: number): Line[] {
  const { issues, startedAt, endedAt, extension } = iteration;
  const state = ITERATION_STATES[outcomeOf(iteration)];
  return [
    ...fact('outcome', line(stateSpan(state), span(`  ${state.means}`, theme.muted))),
    ...fact('issues', String(issues)),
    ...fact('started', clock(startedAt, now)),
    ...fact('duration', elapsed(startedAt, endedAt, now)),
    EMPTY,
    ...(extension === null
      ? [line(span('You asked for nothing more.', theme.muted))]
      : [line(span('Extension', theme.title)), ...wrap(extension, columns)]),
  ];
}
