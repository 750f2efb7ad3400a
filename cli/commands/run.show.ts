import { findingSentence } from '../../schemas/findings/locatedFinding.ts';
import { gateAbout } from '../../schemas/gates/gateAbout.ts';
import { withLocalTimes } from '../../schemas/localTime.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { CONTRACT_VERDICTS, handoverVerdict } from '../../schemas/states/contracts.ts';
import { gateState } from '../../schemas/states/gate.ts';
import { ASSIGNMENT_STATES, LANE_STATES } from '../../schemas/states/lanes.ts';
import { phaseState, runState } from '../../schemas/states/run.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { isTerminal } from '../../schemas/terminalStates.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action, Io } from '../io/io.ts';
import { commandExit } from '../print/approval.ts';
import { type Column, printFacts, printHeading, printJson, printTable } from '../print/output.ts';
import { localTime, shortId, stallText } from '../print/text.ts';

export const action: Action = async ([runId]: [string], { json }: { json?: boolean }, io) => {
  const run = await withDaemon(io, (client) => client.call('run.get', { runId }));
  if (json) printJson(io, run);
  else printRun(io, run);
  return 0;
};

function printRun(io: Io, run: RunDetail): void {
  printFacts(io, [
    ['run', run.runId],
    ['state', runState(run)],
    ['waiting for', withLocalTimes(run.waitingFor)],
    ...run.alsoWaitsFor.map((sentence): [string, string] => ['also waiting for', withLocalTimes(sentence)]),
    ['reason', withLocalTimes(run.reason)],
    ['template', run.template],
    ['host', run.host],
    ['repository', run.repoPath],
    ['base', `${run.baseBranch} at ${run.baseCommit.slice(0, 12)}`],
    ['branch', run.branch],
    ['worktree', run.worktreeRoot],
    ['created', localTime(run.createdAt)],
    ['ended', run.endedAt && localTime(run.endedAt)],
    ['report', run.finalReportPath],
    ...nextSteps(run),
  ]);
  printParts(io, run);
}

/** How to see the changes of an ended run, and how to apply them. */
function nextSteps({ runId, state, phases }: RunDetail): [string, string][] {
  if (!isTerminal(state) || phases.every(({ work }) => !work?.commit)) return [];
  const id = shortId(runId);
  return [
    ['diff', `devflow run diff ${id}`],
    ['apply', `devflow run apply ${id}`],
  ];
}

function printParts(io: Io, run: RunDetail): void {
  printHeading(io, 'Phases');
  printTable(io, run.phases, PHASES, 'none');
  if (run.bindings.length > 0) {
    printHeading(io, 'Roles');
    printTable(
      io,
      run.bindings,
      [
        { title: 'ROLE', cell: (binding) => binding.roleId },
        { title: 'PERSONA', cell: (binding) => binding.persona },
        { title: 'BACKEND', cell: (binding) => binding.backend },
        { title: 'PERMISSION', cell: (binding) => binding.permissionMode },
      ],
      'none',
    );
  }
  if (run.approvals.length > 0) {
    printHeading(io, 'Approvals');
    printTable(
      io,
      run.approvals,
      [
        { title: 'APPROVAL', cell: (approval) => shortId(approval.id) },
        { title: 'GATE', cell: (approval) => approval.gateKey },
        { title: 'ABOUT', cell: (approval) => gateAbout(approval) },
        { title: 'STATE', cell: (approval) => gateState(approval) },
        { title: 'CREATED', cell: (approval) => localTime(approval.createdAt) },
      ],
      'none',
    );
  }
  if (run.handovers) {
    printHeading(io, 'Handovers');
    printTable(io, run.handovers, HANDOVERS, 'none');
  }
  if (run.lanes.length > 0) {
    printHeading(io, 'Lanes');
    printTable(io, run.lanes, LANES, 'none');
  }
  if (run.assignments.length > 0) {
    printHeading(io, 'Assignments');
    printTable(io, run.assignments, ASSIGNMENTS, 'none');
  }
  if (run.sessions.length > 0) {
    printHeading(io, 'Sessions');
    printTable(
      io,
      run.sessions,
      [
        { title: 'SESSION', cell: (session) => shortId(session.sessionId) },
        { title: 'ROLE', cell: (session) => session.roleId },
        { title: 'BACKEND', cell: (session) => session.backend },
        { title: 'STATE', cell: (session) => sessionState(session.state) },
        { title: 'PANE', cell: (session) => session.paneId },
        { title: 'BLOCKED BY', cell: (session) => stallText(session.stall) },
      ],
      'none',
    );
  }
  if (run.commands.length > 0) {
    printHeading(io, 'Commands');
    printTable(
      io,
      run.commands,
      [
        { title: 'EXIT', cell: commandExit, align: 'right' },
        { title: 'PHASE', cell: (command) => command.phaseKey },
        { title: 'COMMAND', cell: (command) => command.argv.join(' ') },
      ],
      'none',
    );
  }
}

type Handover = NonNullable<RunDetail['handovers']>[number];

const HANDOVERS: Column<Handover>[] = [
  { title: 'STATE', cell: (handover) => stateOf(CONTRACT_VERDICTS, handoverVerdict(handover)) },
  { title: 'PHASE', cell: ({ phaseKey }) => phaseKey },
  { title: 'CONTRACT', cell: ({ contract }) => contract, spare: 1 },
  { title: 'FILE', cell: ({ path }) => path, path: true },
  { title: 'FINDINGS', cell: ({ warnings }) => warnings.map(findingSentence).join('; ') || null },
];

const LANES: Column<RunDetail['lanes'][number]>[] = [
  { title: 'LANE', cell: ({ laneId }) => laneId },
  { title: 'STATE', cell: ({ state }) => stateOf(LANE_STATES, state) },
  { title: 'TASKS', cell: ({ tasks }) => tasks.join(', '), spare: 1 },
  { title: 'BRANCH', cell: ({ branch }) => branch },
];

const ASSIGNMENTS: Column<RunDetail['assignments'][number]>[] = [
  { title: 'PHASE', cell: ({ phaseKey }) => phaseKey },
  { title: 'ASSIGNMENT', cell: ({ key }) => key },
  { title: 'LANE', cell: ({ laneId }) => laneId, spare: 2 },
  { title: 'ATTEMPT', cell: ({ attempt }) => attempt, align: 'right', spare: 1 },
  { title: 'STATE', cell: ({ state }) => stateOf(ASSIGNMENT_STATES, state) },
  { title: 'SESSION', cell: ({ sessionId }) => shortId(sessionId) },
];

const PHASES = [
  { title: 'PHASE', cell: (phase: RunDetail['phases'][number]) => phase.key },
  { title: 'STATE', cell: (phase: RunDetail['phases'][number]) => phaseState(phase) },
  { title: 'ATTEMPTS', cell: (phase: RunDetail['phases'][number]) => phase.attempts, align: 'right' as const },
  { title: 'TITLE', cell: (phase: RunDetail['phases'][number]) => phase.title },
];
