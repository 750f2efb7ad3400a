import { defined } from '../../../schemas/defined.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import { gatesOf, onlyReviews } from '../../../schemas/definitions/template.ts';
import type { AssignmentView, BindingView, PhaseView, RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import { modeOf } from '../../core/binding/binding.ts';
import { commentViews } from '../../core/comments/commentViews.ts';
import { shownObjective } from '../../core/objective/mining.ts';
import type { WaitsFor } from '../../core/phases/kindRules.ts';
import { gatesOfRules } from '../../core/rules/rulesAt.ts';
import { appliedAt } from '../../core/run/applied.ts';
import { isLedPhase } from '../../core/run/led.ts';
import {
  attemptsOf,
  currentPhase,
  definitionOf,
  openGates,
  openRecoveryGates,
  phasesOf,
} from '../../core/run/query.ts';
import { setupViews } from '../../core/run/setupViews.ts';
import type { Phase, Run } from '../../core/run/state.ts';
import { runTitle } from '../../core/run/title.ts';
import { waitsFor } from '../../core/waitsFor.ts';
import { reviewOutcome } from '../../kinds/review/reviewOutcome.ts';
import { approvalSummary, commandView } from '../approvals/approvalDetail.ts';
import { artifactView } from '../artifacts/artifactView.ts';
import { summaryOfSession } from '../sessions/sessionSummary.ts';
import { exchangeViews } from './exchangeViews.ts';
import { laneSummaries } from './lanes/laneViews.ts';

/** A run as clients see it. Pure: made from the folded state. */
export function runDetail(run: Run): RunDetail {
  return {
    runId: run.id,
    title: runTitle(run),
    state: run.state,
    ...defined({ outcome: reviewOutcome(run), onlyReviews: onlyReviews(run.template) || undefined }),
    template: `${run.template.name}@${run.template.version}`,
    templateHash: run.templateHash,
    repoPath: run.repoPath,
    baseBranch: run.baseBranch,
    baseCommit: run.baseCommit,
    branch: run.branch,
    worktreeRoot: run.worktreeRoot,
    worktreeFiles: null,
    finalReportPath: run.reportPath,
    currentPhase: currentPhase(run)?.key ?? null,
    pausedFrom: run.pausedFrom,
    ...waiting(run),
    progress: { done: run.phases.filter(isDone).length, total: run.phases.length },
    reason: reasonOf(run),
    ...defined({
      sandbox: run.sandbox ?? undefined,
      wrap: run.wrap ?? undefined,
      agentRights: run.agentRights ?? undefined,
      autoGates: run.autoGates ?? undefined,
      here: run.here || undefined,
      after: run.after ?? undefined,
      schedule: run.schedule ?? undefined,
      templates: run.continued ? [run.continued.before, `${run.template.name}@${run.template.version}`] : undefined,
    }),
    requirements: run.requirementsMd,
    objective: shownObjective(run),
    extra: run.extra,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    appliedAt: appliedAt(run),
    lastSeq: run.lastSeq,
    phases: run.phases.map((phase) => phaseView(run, phase)),
    bindings: run.bindings.map(bindingView),
    assignments: assignmentViews(run),
    lanes: laneSummaries(run),
    findings: phasesOf('review', run).reduce((sum, { review }) => sum + (review?.findings.length ?? 0), 0),
    approvals: run.approvals.map((approval) => approvalSummary(run, approval)),
    sessions: run.sessions.map((session) => summaryOfSession(run, session)),
    commands: run.commands.map((command) => commandView(run, command)),
    artifacts: run.artifacts.map((artifact) => artifactView(run, artifact)),
    ...exchangeViews(run),
    ...defined({
      applied: run.applied.length > 0 ? run.applied : undefined,
      comments: run.comments.length > 0 ? commentViews(run) : undefined,
      setups: setupViews(run),
    }),
  };
}

/**
 * The sentences that the run waits for. `more`: those that only the daemon knows. The first is null if nobody needs to act.
 */
export function waiting(
  run: Run,
  more: readonly string[] = [],
): Pick<RunSummary, 'waitingFor' | 'waitsForPerson' | 'alsoWaitsFor'> {
  const ofRules = gatesOfRules(run);
  const isNobodys = (wait: WaitsFor) =>
    wait.party === 'devflow' || (wait.party === 'person' && ofRules.includes(wait.approvalRequestId ?? ''));
  const waits = waitsFor(run).filter((wait) => !isNobodys(wait));
  const [waitingFor = null, ...alsoWaitsFor] = [...waits.map(({ sentence }) => sentence), ...more];
  return { waitingFor, waitsForPerson: waits[0]?.party === 'person', alsoWaitsFor };
}

function isDone({ state }: Phase): boolean {
  return state === 'completed' || state === 'skipped';
}

function reasonOf(run: Run): string | null {
  if (run.failure) return run.failure.reason;
  const reasons = openRecoveryGates(run).flatMap(({ subject }) =>
    typeof subject.reason === 'string' ? [subject.reason] : [],
  );
  return reasons.length > 0 ? [...new Set(reasons)].join('; ') : null;
}

function assignmentViews(run: Run): AssignmentView[] {
  // An agent that a person leads has no file to write.
  const phases = run.phases.filter((phase) => !isLedPhase(phase));
  return phases.flatMap(({ key: phaseKey, assignments }) =>
    assignments.map(({ key, roleId, laneId, attempt, status: state, sessionId }) => {
      return { phaseKey, key, roleId, laneId, attempt, state, sessionId };
    }),
  );
}

function phaseView(run: Run, phase: Phase): PhaseView {
  const definition = definitionOf(run, phase);
  return {
    phaseId: phase.id,
    key: phase.key,
    title: definition.title,
    kind: definition.kind,
    state: phase.state,
    ...(phase.state === 'failed' && openGates(run).some(({ phaseId }) => phaseId === phase.id) && { waits: true }),
    attempts: attemptsOf(phase),
    roles: definition.roles,
    gates: gatesOf(run.template, definition),
    work: phase.work,
    startedAt: phase.startedAt,
    endedAt: phase.endedAt,
  };
}

export function bindingView(binding: Binding): BindingView {
  const { roleId, role, personaName, personaVersion, personaHash, backend, bindingHash, override, reason } = binding;
  const persona = `${personaName}@${personaVersion}`;
  const permissionMode = modeOf(binding);
  return { roleId, role, persona, personaHash, backend, bindingHash, override, permissionMode, reason };
}
