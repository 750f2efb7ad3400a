import { sharedReasonWords } from '../../../schemas/kinds/lanes/sharedReason.ts';
import type { LanesPhaseView, QueueEntry, TaskView } from '../../../schemas/rpc/views/lanes.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { QUEUE_PLACES, TASK_STATES } from '../../../schemas/states/lanes.ts';
import { type State, stateOf } from '../../../schemas/states/state.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { EMPTY, fitWidth, type Line, line, span } from '../../text/line.ts';
import { sessionStateWord } from '../../text/sessionWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { type ColumnWidth, columnWidths, joinCells } from '../../widgets/columnWidths.ts';
import type { HeadedRow } from '../../widgets/headedList.ts';

/** State, task, lane, agent, files, title. */
const TASK_WIDTHS: readonly ColumnWidth[] = [
  { min: 11, ideal: 11, priority: 10 },
  { min: 8, ideal: 14, priority: 9 },
  { min: 9, ideal: 9, priority: 8 },
  { min: 16, ideal: 18, priority: 6 },
  { min: 12, ideal: 36, priority: 4, reserve: 24 },
  { min: 12, ideal: 24, priority: 7, grows: true },
];
/** State, subject, reason. */
const FACT_WIDTHS: readonly ColumnWidth[] = [
  { min: 16, ideal: 16, priority: 10 },
  { min: 8, ideal: 24, priority: 9 },
  { min: 12, ideal: 40, priority: 8, grows: true },
];

/** A phase of parallel work, row by row. A key names a task, a lane or a gate. */
export function laneRows(phase: LanesPhaseView, columns: number): HeadedRow[] {
  if (!phase.planned) return [{ line: line(span('The tasks appear here when their plan is approved.', theme.muted)) }];
  const { tasks, queue, overlaps, drift } = phase;
  const widths = columnWidths(TASK_WIDTHS, columns - 3);
  const layers = [...new Set(tasks.map(({ layer }) => layer))].sort((a, b) => a - b);
  return [
    ...layers.flatMap((layer) => [
      title(`Layer ${layer + 1}`),
      ...tasks.filter((task) => task.layer === layer).map((task) => taskRow(phase, task, widths)),
    ]),
    ...part(
      'Merge queue',
      queue.map((entry) => queueRow(phase, entry, columns)),
    ),
    ...part(
      'Overlaps',
      overlaps.map(({ tasks: pair, reasons, approvalId, state }) =>
        factRow(`gate ${approvalId} ${pair.join(' ')}`, columns, [
          gateState({ kind: 'gate', state }),
          pair.join(', '),
          reasons.map(sharedReasonWords).join('; '),
        ]),
      ),
    ),
    ...part(
      'Drift',
      drift.map(({ laneId, paths, with: others, approvalId, state }) =>
        factRow(`gate ${approvalId}`, columns, [
          gateState({ kind: 'gate', state }),
          laneId,
          `${paths.join(' ')}${others.length > 0 ? `, as may ${others.join(', ')}` : ''}`,
        ]),
      ),
    ),
  ];
}

function title(text: string): HeadedRow {
  return { line: line(span(text, theme.title)) };
}

function part(name: string, rows: readonly HeadedRow[]): HeadedRow[] {
  return rows.length === 0 ? [] : [{ line: EMPTY }, title(name), ...rows];
}

function taskRow({ phaseKey, lanes }: LanesPhaseView, task: TaskView, widths: readonly number[]): HeadedRow {
  const { taskId, state, laneId, session, writeSet, dependsOn, orderedAfter } = task;
  const gates = lanes.find((lane) => lane.laneId === laneId)?.openGates.length ?? 0;
  const after = [...dependsOn, ...orderedAfter];
  const agent: Line = session ? line(span(session.backend, theme.muted), ' ', ...sessionStateWord(session.state)) : [];
  const cells = [
    line(stateSpan(stateOf(TASK_STATES, state))),
    line(taskId),
    line(span(laneId ?? '–', laneId === null ? theme.muted : undefined), gates > 0 && span(' ?', theme.warn)),
    agent,
    line(span(writeSet.join(' '), theme.muted)),
    line(task.title, after.length > 0 && span(`  after ${after.join(', ')}`, theme.muted)),
  ];
  return { key: `task ${phaseKey} ${taskId}`, line: line('  ', ...joinCells(cells, widths)) };
}

function queueRow({ phaseKey, lanes }: LanesPhaseView, { laneId, place, reason }: QueueEntry, columns: number) {
  const lane = lanes.find((each) => each.laneId === laneId);
  const tasks = (lane?.tasks ?? []).join(', ');
  const returns = lane?.ejections.filter(({ cause }) => cause !== 'raced').length ?? 0;
  const again = returns > 1 ? ` (${counted(returns, 'return')})` : '';
  const why = reason === null ? tasks : `${reason}${again}`;
  return factRow(`lane ${phaseKey} ${laneId}`, columns, [stateOf(QUEUE_PLACES, place), laneId, why]);
}

function factRow(key: string, columns: number, [state, subject, why]: readonly [State, string, string]): HeadedRow {
  const cells = [line(stateSpan(state)), line(subject), line(span(why, theme.muted))];
  const row = line('  ', ...joinCells(cells, columnWidths(FACT_WIDTHS, columns - 3)));
  return { key, line: fitWidth(row, columns - 1) };
}
