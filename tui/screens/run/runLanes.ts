import type { LanesPhaseView, LaneView } from '../../../schemas/rpc/views/lanes.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { type Model, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import { line, span } from '../../text/line.ts';
import { shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { createHeadedList, type HeadedListState, type HeadedRow } from '../../widgets/headedList.ts';
import { NO_TARGETS, type Targets } from '../targets/targets.ts';
import { targetsOfGate } from '../targets/targetsOf.ts';
import { laneRows } from './laneRows.ts';
import { hasPhaseFor, type RunSection, waitingLines } from './runSection.ts';
import { sectionSize, shownRunId } from './shownRun.ts';

const lanesQuery = (model: Model) => query('run.lanes', { runId: shownRunId(model) });
const phasesOf = (model: Model): readonly LanesPhaseView[] => answerOf(model.data, lanesQuery(model))?.phases ?? [];

const list = createHeadedList({
  name: 'run.lanes',
  state: screenState<HeadedListState>('run lanes', {}),
  rows: allRows,
  height: (model) => sectionSize(model).rows,
});

/** The parallel work: tasks in layers, the merge queue, overlaps and drift. */
export const lanes: RunSection = {
  id: 'lanes',
  title: 'Lanes',
  exists: (run) => hasPhaseFor('lanes', run),
  count: (run) => run.lanes.length,
  bindings: list.bindings,
  queries: (model) => [lanesQuery(model)],
  view(model, _run, size) {
    if (answerOf(model.data, lanesQuery(model))) return list.view(model, size);
    return waitingLines(errorOf(model.data, lanesQuery(model)), size.columns);
  },
  onMouse: list.onMouse,
  session: sessionOf,
  gate: gateOf,
  targets(model, run) {
    const lane = selectedLane(model);
    if (lane) return targetsOfLane(run, lane);
    return targetsOfGate(run.approvals.find(({ id }) => id === gateOf(model)));
  },
  open(model) {
    const gate = gateOf(model);
    if (gate !== undefined) return step(goTo(model, { screen: 'approval', id: gate }));
    const session = sessionOf(model);
    if (session !== undefined) return step(goTo(model, { screen: 'session', id: session }));
    return 'this row has no gate and no agent yet';
  },
};

function allRows(model: Model): HeadedRow[] {
  const phases = phasesOf(model);
  const { columns } = sectionSize(model);
  return phases.flatMap((phase): HeadedRow[] => {
    const rows = laneRows(phase, columns);
    if (phases.length === 1) return rows;
    return [{ line: line(span(`${phase.phaseKey}: ${phase.title}`, theme.accent)) }, ...rows];
  });
}

/** The kind of the selected row, its phase and what it names. */
function selected(model: Model) {
  const [kind, first = '', second = ''] = list.selected(model)?.split(' ') ?? [];
  return { kind, phase: phasesOf(model).find(({ phaseKey }) => phaseKey === first), first, second };
}

function selectedTask(model: Model) {
  const { kind, phase, second } = selected(model);
  return kind === 'task' ? phase?.tasks.find(({ taskId }) => taskId === second) : undefined;
}

function selectedLane(model: Model): LaneView | undefined {
  const { kind, phase, second } = selected(model);
  const laneId = kind === 'lane' ? second : selectedTask(model)?.laneId;
  return phase?.lanes.find((lane) => lane.laneId === laneId);
}

function sessionOf(model: Model): string | undefined {
  return selectedTask(model)?.session?.sessionId ?? selectedLane(model)?.sessionIds.at(-1);
}

/** The gate of the row, or the oldest open gate of its lane. */
function gateOf(model: Model): string | undefined {
  const { kind, first } = selected(model);
  return kind === 'gate' ? first : selectedLane(model)?.openGates[0];
}

function targetsOfLane({ runId }: RunDetail, { laneId, branch, path, head }: LaneView): Targets {
  const copy = [
    ...(branch === null ? [] : [{ what: 'branch of the lane', text: branch }]),
    { what: 'worktree of the lane', text: path },
    ...(head === null ? [] : [{ what: 'commit of the lane', text: head }]),
  ];
  if (path === '') return { ...NO_TARGETS, copy };
  const open = [{ what: 'worktree of the lane', path, as: 'directory' as const }];
  return { copy, open, worktree: { path, label: `run ${shortId(runId)}, ${laneId}` } };
}
