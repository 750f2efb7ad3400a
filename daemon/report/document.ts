import { defined } from '../../schemas/defined.ts';
import type { Binding } from '../../schemas/definitions/persona.ts';
import type { RunFact } from '../../schemas/events/run.ts';
import { sortedFindings } from '../../schemas/findings/findingGroups.ts';
import { modeOf } from '../core/binding/binding.ts';
import { commentViews } from '../core/comments/commentViews.ts';
import { shownObjective } from '../core/objective/mining.ts';
import type { CommandRun } from '../core/run/commandRun.ts';
import { countTasks, isLeftOut, tasksNotDone } from '../core/run/notDone.ts';
import { attemptsOf } from '../core/run/query.ts';
import { setupViews } from '../core/run/setupViews.ts';
import type { Approval, Artifact, Phase, Run } from '../core/run/state.ts';
import { runTitle } from '../core/run/title.ts';
import { reviewOutcome } from '../kinds/review/reviewOutcome.ts';
import { holdUpsOf } from './holdUps.ts';
import { type LaneCommit, laneCommits } from './laneCommits.ts';
import { measuredPart } from './measured.ts';
import { recoveriesOf } from './recoveries.ts';
import { decidedSheets } from './sheets.ts';
import type { ReportSubject } from './subject.ts';
import { unresolvedOf } from './unresolved.ts';

/** A report shows this many events. */
export const REPORT_TAIL = 20;

/** `common/final-report@1` with additional fields. `status` and `endedAt` show that a run is open. */
export function reportDocument(subject: ReportSubject) {
  const { run, events, findings } = subject;
  const keyOf = new Map(run.phases.map(({ id, key }) => [id, key]));
  const ofLanes = laneCommits(subject);
  return {
    runId: run.id,
    title: runTitle(run),
    status: run.state,
    ...defined({ outcome: reviewOutcome(run), applied: run.applied.length > 0 ? run.applied : undefined }),
    reason: run.failure?.reason ?? null,
    template: `${run.template.name}@${run.template.version}`,
    templateHash: run.templateHash,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    inputs: inputsOf(run),
    bindings: run.bindings.map(binding),
    branch: run.branch,
    worktreeRoot: run.worktreeRoot,
    hasWorktree: subject.hasWorktree ?? true,
    laneCommits: ofLanes,
    otherCommits: otherCommits(subject, ofLanes),
    takenOver: [...(subject.takenOver ?? [])],
    phases: run.phases.map((phase) => phaseOf(run, phase)),
    tasks: countTasks(run),
    notDone: tasksNotDone(run),
    approvals: run.approvals.map(approval),
    sheets: decidedSheets(events, subject.contents),
    findings: sortedFindings(findings),
    comments: commentViews(run),
    measured: measuredPart(run),
    commands: run.commands.map((one) => command(one, keyOf.get(one.phaseId) ?? null)),
    setups: setupViews(run) ?? [],
    artifacts: run.artifacts.map((one) => artifact(run, one, keyOf.get(one.phaseId) ?? null)),
    recoveries: recoveriesOf(subject),
    holdUps: holdUpsOf(run, events),
    events: { total: run.lastSeq, tail: events.slice(-REPORT_TAIL).map((event) => ({ ...event })) },
    unresolved: unresolvedOf(subject),
  };
}

export type ReportDocument = ReturnType<typeof reportDocument>;

/** Commits of the branch that agents or a person made, not devflow. */
function otherCommits({ run, branchCommits = [] }: ReportSubject, ofLanes: readonly LaneCommit[]): string[] {
  const ofPhases = run.phases.flatMap(({ commits }) => commits.map(({ commit }) => commit));
  const own = new Set([...ofPhases, ...ofLanes.map(({ commit }) => commit)]);
  return branchCommits.filter((commit) => !own.has(commit));
}

function inputsOf(run: Run) {
  const { requirementsMd, repoPath, baseBranch, baseCommit, extra, inputHash, overrides } = run;
  const objective = shownObjective(run);
  const inputs = {
    requirementsMd,
    objective,
    repoPath,
    baseBranch,
    baseCommit,
    extra,
    inputHash,
    overrides,
    ...wallsOf(run),
    ...beginningOf(run),
  };
  return inputs satisfies Record<
    Exclude<
      RunFact,
      | 'after'
      | 'autoGates'
      | 'here'
      | 'host'
      | 'sandbox'
      | 'schedule'
      | 'template'
      | 'templateHash'
      | 'title'
      | 'worktreeRoot'
      | 'wrap'
    >,
    unknown
  >;
}

/** The sandbox around its agents, what they had from the repository, and rules for gates; nothing for a run without. */
function wallsOf({ sandbox, wrap, agentRights, autoGates }: Run) {
  return defined({
    sandbox: sandbox ?? undefined,
    wrap: wrap ?? undefined,
    agentRights: agentRights ?? undefined,
    autoGates: autoGates ?? undefined,
  });
}

/** Where it works and what it began with, for a run that is no ordinary one. */
function beginningOf({ here, after, schedule }: Run) {
  return defined({ here: here || undefined, after: after ?? undefined, schedule: schedule ?? undefined });
}

function binding(bound: Binding) {
  const { roleId, role, personaName, personaVersion, personaHash, backend, bindingHash, reason } = bound;
  const permissionMode = modeOf(bound);
  return { roleId, role, personaName, personaVersion, personaHash, backend, bindingHash, permissionMode, reason };
}

function phaseOf(run: Run, phase: Phase) {
  const { key, state, startedAt, endedAt, work, commits } = phase;
  const title = run.template.phases.find((phase) => phase.key === key)?.title ?? key;
  return { key, title, state, attempts: attemptsOf(phase), startedAt, endedAt, work, commits };
}

function approval({
  id,
  gateKey,
  kind,
  phaseKey,
  assignment,
  laneId,
  attempt,
  artifactHash,
  state,
  createdAt,
  resolvedAt,
  decision,
}: Approval) {
  return {
    id,
    gateKey,
    kind,
    phaseKey,
    assignment,
    laneId,
    attempt,
    artifactHash,
    state,
    requestedAt: createdAt,
    resolvedAt,
    decision: decision && {
      id: decision.id,
      action: decision.action,
      comment: decision.comment,
      clientToken: decision.clientToken,
      decidedAt: decision.decidedAt,
      ...defined({ by: decision.by }),
    },
  };
}

function command(one: CommandRun, phaseKey: string | null) {
  const { id, attempt, kind, argv, cwd, state, exitCode, reason, stdoutPath, stderrPath, startedAt, endedAt } = one;
  return {
    id,
    phaseKey,
    attempt,
    kind,
    argv,
    cwd,
    state,
    exitCode,
    reason,
    stdoutPath,
    stderrPath,
    startedAt,
    endedAt,
  };
}

function artifact(run: Run, one: Artifact, phaseKey: string | null) {
  const { id, roleId, attempt, path, storedPath, schema, hash, valid, errors, warnings = [], createdAt } = one;
  const edited = defined({ edited: one.edited && (true as const) });
  const about = { id, phaseKey, roleId, laneId: one.laneId, attempt, isLeftOut: isLeftOut(run, one) };
  return { ...about, path, storedPath, schema, hash, valid, errors, warnings, ...edited, createdAt };
}
