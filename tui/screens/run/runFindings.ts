import { widthOf } from '../../../cli/client/textWidth.ts';
import { sortedFindings } from '../../../schemas/findings/findingGroups.ts';
import { backendsOf, notesOf, placeOf } from '../../../schemas/findings/findingWords.ts';
import { severityRank } from '../../../schemas/findings/severity.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from '../../../schemas/states/findings.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import { endOf, type Line, line, span } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { type ColumnWidth, columnWidths, joinCells } from '../../widgets/columnWidths.ts';
import { createList, LIST_START, type ListState } from '../../widgets/list.ts';
import { filesRoot, targetsOfFinding } from '../targets/targetsOf.ts';
import { hasPhaseFor, listSection, type RunSection, waitingLines } from './runSection.ts';
import { shownRunId } from './shownRun.ts';

const NONE: readonly FindingView[] = [];

const findingsQuery = (model: Model) => query('run.findings', { runId: shownRunId(model) });
const inOrder = memoize(({ findings }: { findings: readonly FindingView[] }) => sortedFindings(findings));

export function findingsOf(model: Model): readonly FindingView[] {
  const answer = answerOf(model.data, findingsQuery(model));
  return answer ? inOrder(answer) : NONE;
}

export function findingOf(model: Model, id: string): FindingView | undefined {
  return findingsOf(model).find(({ findingId }) => findingId === id);
}

const list = createList<FindingView>({
  name: 'run.findings',
  state: screenState<ListState>('run findings', LIST_START),
  items: findingsOf,
  keyOf: ({ findingId }) => findingId,
  headless: true,
  columns: [
    {
      title: 'severity',
      text: ({ severity }) => stateOf(FINDING_SEVERITIES, severity).word,
      order: ({ severity }) => severityRank(severity),
    },
    { title: 'state', text: ({ state }) => stateOf(FINDING_STATES, state).word },
    { title: 'place', text: placeOf },
    { title: 'summary', text: summaryOf },
    { title: 'found by', text: (finding) => backendsOf(finding).join(', ') },
  ],
  also: ({ category, findingId }) => `${category} ${findingId}`,
});

/** The findings of reviewers, in the order of `devflow run findings`. */
export const findings: RunSection = {
  id: 'findings',
  title: 'Findings',
  exists: (run) => run.findings > 0 || hasPhaseFor('findings', run),
  count: (run) => run.findings,
  ...listSection(list, 'finding', ({ findingId }) => findingId),
  queries: (model) => [findingsQuery(model)],
  view(model, _run, size) {
    if (answerOf(model.data, findingsQuery(model)))
      return list.view(
        model,
        size,
        (each, columns) => findingRow(each, widthsFor(findingsOf(model), columns)),
        'The reviewers have reported no findings.',
      );
    return waitingLines(errorOf(model.data, findingsQuery(model)), size.columns);
  },
  targets: (model, run) => targetsOfFinding(list.selected(model), filesRoot(run)),
};

function summaryOf(finding: FindingView): string {
  const notes = notesOf(finding);
  return notes.length === 0 ? finding.summary : `${finding.summary} (${notes.join(', ')})`;
}

/** Severity, state, place, summary, found by. A place gets up to a third of the screen. */
function widthsFor(found: readonly FindingView[], columns: number): readonly number[] {
  const place = Math.max(LEAST_PLACE, Math.min(longestPlace(found), Math.floor(columns / 3)));
  const widths: readonly ColumnWidth[] = [
    { min: 10, ideal: 10, priority: 10 },
    { min: 11, ideal: 11, priority: 7 },
    { min: LEAST_PLACE, ideal: place, priority: 9 },
    { min: 20, ideal: 60, priority: 8, grows: true },
    { min: 10, ideal: 20, priority: 3, reserve: 24 },
  ];
  return columnWidths(widths, columns);
}

const LEAST_PLACE = 12;
const longestPlace = memoize((found: readonly FindingView[]) =>
  found.reduce((longest, finding) => Math.max(longest, widthOf(placeOf(finding))), 0),
);

function findingRow(finding: FindingView, widths: readonly number[]): Line {
  const { severity, state } = finding;
  return joinCells(
    [
      line(stateSpan(stateOf(FINDING_SEVERITIES, severity))),
      line(stateSpan(stateOf(FINDING_STATES, state))),
      endOf(line(placeOf(finding)), widths[2] ?? 0, theme.muted),
      line(summaryOf(finding)),
      line(span(backendsOf(finding).join(', '), theme.muted)),
    ],
    widths,
  );
}
