import { sharedReasonWords } from '../../../schemas/kinds/lanes/sharedReason.ts';
import type { LanesPhaseView, MergeTestView, TaskView } from '../../../schemas/rpc/views/lanes.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { QUEUE_PLACES, TASK_STATES } from '../../../schemas/states/lanes.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import type { Io } from '../../io/io.ts';
import { type Column, printPart, printTable, type Word } from '../output.ts';
import { shortId } from '../text.ts';

/** The parallel work of a phase: its tasks, the merge queue, and where tasks may get in each other's way. */
export function printLanesPhase(io: Io, phase: LanesPhaseView): void {
  printTable(io, phase.tasks, TASKS, 'The plan has no tasks.');
  printPart(io, 'Merge queue', phase.queue, queueColumns(phase));
  printPart(io, 'Merge tests', phase.tests, TESTS);
  const flaky = phase.lanes.flatMap(({ laneId, flakyChecks = [] }) => flakyChecks.map((argv) => ({ laneId, argv })));
  printPart(io, 'Flaky checks', flaky, FLAKY);
  printPart(io, 'Overlaps', phase.overlaps, OVERLAPS);
  printPart(io, 'Drift', phase.drift, DRIFT);
}

const TASKS: Column<TaskView>[] = [
  { title: 'TASK', cell: ({ taskId }) => taskId },
  { title: 'STATE', cell: ({ state }) => stateOf(TASK_STATES, state) },
  { title: 'LANE', cell: ({ laneId }) => laneId },
  { title: 'AGENT', cell: agentText, spare: 3 },
  { title: 'SIZE', cell: ({ size }) => size, spare: 5 },
  { title: 'RISK', cell: ({ risk }) => risk, spare: 4 },
  { title: 'AFTER', cell: ({ dependsOn, orderedAfter }) => [...dependsOn, ...orderedAfter].join(', '), spare: 2 },
  { title: 'FILES', cell: ({ writeSet }) => writeSet.join(' '), spare: 1 },
  { title: 'TITLE', cell: ({ title }) => title },
];

function agentText({ session }: TaskView): string | null {
  return session && `${session.backend} ${shortId(session.sessionId)}`;
}

function queueColumns({ lanes }: LanesPhaseView): Column<LanesPhaseView['queue'][number]>[] {
  const tasksOf = (id: string) => lanes.find(({ laneId }) => laneId === id)?.tasks.join(', ');
  return [
    { title: 'LANE', cell: ({ laneId }) => laneId },
    { title: 'STATE', cell: ({ place }) => stateOf(QUEUE_PLACES, place) },
    { title: 'TASKS', cell: ({ laneId }) => tasksOf(laneId), spare: 1 },
    { title: 'REASON', cell: ({ reason }) => reason },
  ];
}

const TESTS: Column<MergeTestView>[] = [
  { title: 'LANES', cell: ({ lanes }) => (lanes.length > 0 ? lanes.join(', ') : 'the branch itself') },
  { title: 'RESULT', cell: resultWord },
  { title: 'ON', cell: ({ base }) => base.slice(0, 8), spare: 1 },
  { title: 'FAILED', cell: ({ failedChecks }) => failedChecks.map(({ argv }) => argv.join(' ')).join('; ') },
];

function resultWord({ green, flaky }: MergeTestView): Word {
  if (flaky) return { word: 'flaky', look: 'ask' };
  return green ? { word: 'green', look: 'good' } : { word: 'red', look: 'bad' };
}

/** They failed in a lane, and passed there when they ran again. */
const FLAKY: Column<{ laneId: string; argv: string[] }>[] = [
  { title: 'LANE', cell: ({ laneId }) => laneId },
  { title: 'CHECK', cell: ({ argv }) => argv.join(' ') },
];

const OVERLAPS: Column<LanesPhaseView['overlaps'][number]>[] = [
  { title: 'TASKS', cell: ({ tasks }) => tasks.join(', ') },
  { title: 'STATE', cell: ({ state }) => gateState({ kind: 'gate', state }) },
  { title: 'APPROVAL', cell: ({ approvalId }) => shortId(approvalId), spare: 1 },
  { title: 'WHY', cell: ({ reasons }) => reasons.map(sharedReasonWords).join('; ') },
];

const DRIFT: Column<LanesPhaseView['drift'][number]>[] = [
  { title: 'LANE', cell: ({ laneId }) => laneId },
  { title: 'STATE', cell: ({ state }) => gateState({ kind: 'gate', state }) },
  { title: 'APPROVAL', cell: ({ approvalId }) => shortId(approvalId), spare: 1 },
  { title: 'MAY ALSO CHANGE', cell: ({ with: others }) => others.join(', '), spare: 2 },
  { title: 'FILES', cell: ({ paths }) => paths.join(' ') },
];
