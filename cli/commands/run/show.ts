import { DevflowError } from '../../../schemas/errors.ts';
import { findingSentence } from '../../../schemas/findings/locatedFinding.ts';
import { gateAbout } from '../../../schemas/gates/gateWords.ts';
import { ruleText } from '../../../schemas/gates/ruleText.ts';
import { isTerminal } from '../../../schemas/names.ts';
import { rightsWords } from '../../../schemas/repository/rightsWords.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { sandboxWords } from '../../../schemas/sandboxWords.ts';
import { CONTRACT_VERDICTS, handoverVerdict } from '../../../schemas/states/contracts.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import { ASSIGNMENT_STATES, LANE_STATES } from '../../../schemas/states/lanes.ts';
import { phaseState, runState } from '../../../schemas/states/run.ts';
import { sessionState } from '../../../schemas/states/session.ts';
import { setupNotes, setupSentence } from '../../../schemas/states/setup.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import type { Client } from '../../client/connect.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { onlyRun } from '../../input/onlyOne.ts';
import type { Io } from '../../io/io.ts';
import {
  type Cell,
  type Column,
  printFacts,
  printHeading,
  printJson,
  printPart,
  printTable,
} from '../../print/output.ts';
import { commandExit, printApproval } from '../../print/run/approval.ts';
import { printComments } from '../../print/run/comments.ts';
import { localTime, shortId, stallText } from '../../print/text.ts';

export const action: Run['show'] = async (_params, { run, json }, io) =>
  withDaemon(io, async (client) => {
    const runId = run ?? (await onlyRun(io, client, 'any'));
    const found = await runOrGate(client, runId);
    if (json) printJson(io, found);
    else if ('gateKey' in found) printApproval(io, found);
    else printRun(io, found);
    return 0;
  });

/** The run with this id, else the gate with it: `devflow show` takes both. */
async function runOrGate(client: Client, id: string): Promise<RunDetail | ApprovalDetail> {
  try {
    // Not `call`, which drops what only a newer daemon says.
    return (await client.request('run.get', { runId: id })) as RunDetail;
  } catch (error) {
    if (!(error instanceof DevflowError) || error.code !== 'not_found') throw error;
    const gate = (await client.request('approval.get', { approvalId: id }).catch(() => undefined)) as
      | ApprovalDetail
      | undefined;
    if (gate === undefined) throw error;
    return gate;
  }
}

/** Shown in a table or with another fact, or only in JSON. */
type NoFact =
  | 'appliedAt'
  | 'approvals'
  | 'artifacts'
  | 'assignments'
  | 'baseCommit'
  | 'bindings'
  | 'commands'
  | 'comments'
  | 'currentPhase'
  | 'extra'
  | 'findings'
  | 'handovers'
  | 'iterations'
  | 'lanes'
  | 'lastSeq'
  | 'objective'
  | 'onlyReviews'
  | 'outcome'
  | 'pausedFrom'
  | 'phases'
  | 'progress'
  | 'requirements'
  | 'sessions'
  | 'startedAt'
  | 'templateHash'
  | 'waitsForPerson'
  | 'worktreeFiles';

const FACTS: { [F in Exclude<keyof RunDetail, NoFact>]: [label: string, value: (run: RunDetail) => Cell | Cell[]] } = {
  title: ['title', ({ title }) => title],
  runId: ['run', ({ runId }) => runId],
  state: ['state', runState],
  queue: ['place in the queue', ({ queue }) => queue && `${queue.position} of ${queue.of}`],
  waitingFor: ['waiting for', ({ waitingFor }) => withLocalTimes(waitingFor)],
  alsoWaitsFor: ['also waiting for', ({ alsoWaitsFor }) => alsoWaitsFor.map(withLocalTimes)],
  reason: ['reason', ({ reason }) => withLocalTimes(reason)],
  template: ['template', ({ template }) => template],
  templates: ['templates', ({ templates }) => templates?.join(', then ')],
  host: ['host', ({ host }) => host],
  repoPath: ['repository', ({ repoPath }) => repoPath],
  baseBranch: ['base', ({ baseBranch, baseCommit }) => `${baseBranch} at ${baseCommit.slice(0, 12)}`],
  branch: ['branch', ({ branch }) => branch],
  worktreeRoot: ['worktree', ({ worktreeRoot }) => worktreeRoot],
  setups: ['set-up', ({ setups = [] }) => setups.flatMap((each) => [setupSentence(each), ...setupNotes(each)])],
  sandbox: ['sandbox', ({ sandbox }) => sandbox && sandboxWords(sandbox)],
  agentRights: ['agent rights', ({ agentRights }) => agentRights && rightsWords(agentRights)],
  wrap: ['wrapped by', ({ wrap }) => wrap?.map(shellWord).join(' ')],
  autoGates: ['gate rule', ({ autoGates = [] }) => autoGates.map(ruleText)],
  here: ['place', ({ here }) => here && 'your checkout'],
  after: ['starts after', ({ after }) => after && shortId(after)],
  schedule: [
    'schedule',
    ({ schedule }) => schedule && `${shortId(schedule.id)}, for ${localTime(schedule.occurrence)}`,
  ],
  createdAt: ['created', ({ createdAt }) => localTime(createdAt)],
  endedAt: ['ended', ({ endedAt }) => endedAt && localTime(endedAt)],
  applied: ['applied', ({ applied = [] }) => applied.map(appliedWords)],
  finalReportPath: ['report', ({ finalReportPath }) => finalReportPath],
};

function printRun(io: Io, run: RunDetail): void {
  const facts = Object.values(FACTS).flatMap(([label, value]) =>
    [value(run)].flat().map((each) => [label, each] as const),
  );
  printFacts(io, [...facts, ...nextSteps(run)]);
  printParts(io, run);
}

function appliedWords({ target, commit, at, way }: NonNullable<RunDetail['applied']>[number]): string {
  const found = way === 'found' ? ', which had it already' : '';
  return `${localTime(at)}, to ${target} at ${commit.slice(0, 12)}${found}`;
}

/** Names the commands that show what an ended run found or changed, and apply it. */
function nextSteps({ runId, state, phases, outcome }: RunDetail): [string, string][] {
  const id = shortId(runId);
  const reviewed: [string, string][] = outcome ? [['findings', `devflow run findings ${id}`]] : [];
  if (!isTerminal(state) || phases.every(({ work }) => !work?.commit)) return reviewed;
  return [...reviewed, ['diff', `devflow run diff ${id}`], ['apply', `devflow run apply ${id}`]];
}

function printParts(io: Io, run: RunDetail): void {
  printHeading(io, 'Phases');
  printTable(io, run.phases, PHASES, 'none');
  printPart(io, 'Roles', run.bindings, ROLES);
  printPart(io, 'Approvals', run.approvals, APPROVALS);
  printPart(io, 'Handovers', run.handovers ?? [], HANDOVERS);
  printPart(io, 'Lanes', run.lanes, LANES);
  printPart(io, 'Assignments', run.assignments, ASSIGNMENTS);
  printPart(io, 'Sessions', run.sessions, SESSIONS);
  printPart(io, 'Commands', run.commands, COMMANDS);
  printComments(io, run.comments);
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

const PHASES: Column<RunDetail['phases'][number]>[] = [
  { title: 'PHASE', cell: ({ key }) => key },
  { title: 'STATE', cell: phaseState },
  { title: 'ATTEMPTS', cell: ({ attempts }) => attempts, align: 'right' },
  { title: 'TITLE', cell: ({ title }) => title },
];

const ROLES: Column<RunDetail['bindings'][number]>[] = [
  { title: 'ROLE', cell: ({ roleId }) => roleId },
  { title: 'PERSONA', cell: ({ persona }) => persona },
  { title: 'BACKEND', cell: ({ backend }) => backend },
  { title: 'PERMISSION', cell: ({ permissionMode }) => permissionMode },
];

const APPROVALS: Column<RunDetail['approvals'][number]>[] = [
  { title: 'APPROVAL', cell: ({ id }) => shortId(id) },
  { title: 'GATE', cell: ({ gateKey }) => gateKey },
  { title: 'ABOUT', cell: gateAbout },
  { title: 'STATE', cell: gateState },
  { title: 'CREATED', cell: ({ createdAt }) => localTime(createdAt) },
];

const SESSIONS: Column<RunDetail['sessions'][number]>[] = [
  { title: 'SESSION', cell: ({ sessionId }) => shortId(sessionId) },
  { title: 'ROLE', cell: ({ roleId }) => roleId },
  { title: 'BACKEND', cell: ({ backend }) => backend },
  { title: 'STATE', cell: ({ state }) => sessionState(state) },
  { title: 'PANE', cell: ({ paneId }) => paneId },
  { title: 'BLOCKED BY', cell: ({ stall }) => stallText(stall) },
];

const COMMANDS: Column<RunDetail['commands'][number]>[] = [
  { title: 'EXIT', cell: commandExit, align: 'right' },
  { title: 'PHASE', cell: ({ phaseKey }) => phaseKey },
  { title: 'COMMAND', cell: ({ argv }) => argv.join(' ') },
];
