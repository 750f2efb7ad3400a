import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import type { Model } from '../../model/model.ts';
import { goTo } from '../../model/navigate.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import { screenState } from '../../model/state.ts';
import { step } from '../../model/step.ts';
import { fitWidth, type Line, line, span } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { theme } from '../../text/theme.ts';
import { createHeadedList, type HeadedListState } from '../../widgets/headedList.ts';
import { markdownLines } from '../../widgets/markdown.ts';
import { createReader, READER_START } from '../../widgets/reader.ts';
import { targetsOfArtifact, targetsOfGate, targetsOfSession } from '../targets/targetsOf.ts';
import { artifacts } from './runArtifacts.ts';
import { changes } from './runChanges.ts';
import { commands } from './runCommands.ts';
import { events } from './runEvents.ts';
import { overviewRows } from './runOverview.ts';
import type { RunSection } from './runSection.ts';
import { runState, sectionSize, shownRun, shownRunId } from './shownRun.ts';

const picks = createHeadedList({
  name: 'run.overview',
  state: screenState<HeadedListState>('run overview', {}),
  rows(model) {
    const run = shownRun(model);
    return run ? overviewRows(run, model, sectionSize(model).columns) : [];
  },
  height: (model) => sectionSize(model).rows,
});

const overview: RunSection = {
  id: 'overview',
  title: 'Overview',
  bindings: picks.bindings,
  view: (model, _run, size) => picks.view(model, size),
  onMouse: picks.onMouse,
  targets(model, run) {
    const [kind, id = ''] = picks.selected(model)?.split(' ') ?? [];
    if (kind === 'gate') return targetsOfGate(run.approvals.find((gate) => gate.id === id));
    if (kind === 'session') return targetsOfSession(run.sessions.find(({ sessionId }) => sessionId === id));
    const made = kind === 'phase' ? newestArtifact(run, id) : undefined;
    return targetsOfArtifact(run.artifacts.find(({ artifactId }) => artifactId === made?.id));
  },
  open(model, run) {
    const [kind, id = ''] = picks.selected(model)?.split(' ') ?? [];
    if (kind === 'gate') return step(goTo(model, { screen: 'approval', id }));
    if (kind === 'session') return step(goTo(model, { screen: 'session', id }));
    if (kind === 'phase' && newestArtifact(run, id))
      return step(runState.set(model, { opened: newestArtifact(run, id) }));
    return 'this row has nothing to open';
  },
};

/** The session selected in the overview. */
export function selectedSession(model: Model): string | undefined {
  const [kind, id] = picks.selected(model)?.split(' ') ?? [];
  return runState.get(model).section === 'overview' && kind === 'session' ? id : undefined;
}

function newestArtifact(run: RunDetail, phaseKey: string) {
  const found = run.artifacts.findLast((each) => each.phaseKey === phaseKey);
  return found && { kind: 'artifact' as const, id: found.artifactId };
}

const reportQuery = (model: Model) => query('run.report', { runId: shownRunId(model) });
const reportLines = memoize((report: { markdown: string }, columns) => markdownLines(report.markdown, Number(columns)));

const NONE: readonly Line[] = [];

function linesOf(model: Model): readonly Line[] {
  const report = answerOf(model.data, reportQuery(model));
  return report ? reportLines(report, String(sectionSize(model).columns - 2)) : NONE;
}

const reportReader = createReader({
  name: 'run.report',
  state: screenState('run report', READER_START),
  lines: linesOf,
  rows: (model) => sectionSize(model).rows,
});

const report: RunSection = {
  id: 'report',
  title: 'Report',
  bindings: reportReader.bindings,
  queries: (model) => [reportQuery(model)],
  view(model, _run, size) {
    const error = errorOf(model.data, reportQuery(model));
    const lines = linesOf(model);
    if (lines.length === 0) return [line(span(` ${error?.message ?? 'Loading…'}`, error ? theme.bad : theme.muted))];
    const text = reportReader.view(model, { ...size, columns: size.columns - 2 });
    return text.map((each) => fitWidth(line(' ', ...each), size.columns));
  },
  typing: reportReader.typing,
  onKey: reportReader.onKey,
  onMouse: (model, { action }) => reportReader.onMouse(model, action),
};

/** In the order of the tabs. */
export const SECTIONS: readonly RunSection[] = [overview, events, artifacts, commands, changes, report];

export function shownSection(model: Model): RunSection {
  return SECTIONS.find(({ id }) => id === runState.get(model).section) ?? overview;
}
