import { derivedId } from '../../schemas/ids.ts';
import type { ProjectedTable } from '../db/committer.ts';
import { decisionKey } from '../engine/core/run/keys.ts';
import { currentPhase } from '../engine/core/run/query.ts';
import type { Approval, Artifact, CommandRun, Phase, Run, Session } from '../engine/core/run/state.ts';

export type Row = Record<string, unknown>;
export type Rows = Partial<Record<ProjectedTable, Row[]>>;

/** All rows of a run. A pure function of the run: rows are projections. */
export function rowsOf(run: Run): Required<Rows> {
  return {
    runs: [runRow(run)],
    run_inputs: [inputRow(run)],
    run_bindings: run.bindings.map((binding) => ({
      id: derivedId('binding', run.id, binding.roleId),
      run_id: run.id,
      role_id: binding.roleId,
      persona_id: binding.personaId,
      persona_hash: binding.personaHash,
      backend: binding.backend,
      binding_hash: binding.bindingHash,
    })),
    run_phases: run.phases.map((phase) => phaseRow(run, phase)),
    approval_requests: run.approvals.map((approval) => approvalRow(run, approval)),
    approval_decisions: run.approvals.flatMap(decisionRows),
    tui_sessions: run.sessions.map((session) => sessionRow(run, session)),
    artifacts: run.artifacts.map((artifact) => artifactRow(run, artifact)),
    commands: run.commands.map((command) => commandRow(run, command)),
  };
}

/** Their rows store the time of their last change. A run does not know it, so a replay does not compare it. */
const STAMPED: readonly ProjectedTable[] = ['run_phases', 'approval_requests', 'tui_sessions', 'commands'];

/** Only the rows that differ: those that a transition must write. */
export function changedRows(before: Run | undefined, after: Run): Rows {
  const now = rowsOf(after);
  const then = before && rowsOf(before);
  const changed: Rows = {};
  for (const table of Object.keys(now) as ProjectedTable[]) {
    const old = new Map(then?.[table].map((row) => [row.id, JSON.stringify(row)]));
    const rows = now[table].filter((row) => old.get(row.id) !== JSON.stringify(row));
    const stamp = STAMPED.includes(table) ? { updated_at: after.updatedAt } : {};
    if (rows.length > 0 || then === undefined) changed[table] = rows.map((row) => ({ ...row, ...stamp }));
  }
  return changed;
}

function runRow(run: Run): Row {
  return {
    id: run.id,
    template_id: run.templateId,
    template_hash: run.templateHash,
    state: run.state,
    repo_path: run.repoPath,
    repository: run.repository,
    base_branch: run.baseBranch,
    slot: run.slot,
    worktree_root: run.worktreeRoot,
    current_phase_id: currentPhase(run)?.id ?? null,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    final_report_path: run.reportPath,
    paused_from_state: run.pausedFrom,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
  };
}

function inputRow(run: Run): Row {
  return {
    id: derivedId('input', run.id),
    run_id: run.id,
    requirements_md: run.requirementsMd,
    objective: run.objective,
    extra: run.extra,
    input_hash: run.inputHash,
  };
}

function phaseRow(run: Run, phase: Phase): Row {
  return {
    id: phase.id,
    run_id: run.id,
    phase_key: phase.key,
    seq: phase.seq,
    state: phase.state,
    attempts: phase.attempts,
    started_at: phase.startedAt,
    ended_at: phase.endedAt,
  };
}

function approvalRow(run: Run, approval: Approval): Row {
  const { kind, phaseKey, attempt, artifactHash, subject, timeoutMs } = approval;
  return {
    id: approval.id,
    run_id: run.id,
    phase_id: approval.phaseId || null,
    gate_key: approval.gateKey,
    state: approval.state,
    idempotency_key: approval.key,
    payload: { kind, phaseKey, attempt, artifactHash, subject, timeoutMs },
    created_at: approval.createdAt,
    resolved_at: approval.resolvedAt,
  };
}

function decisionRows(approval: Approval): Row[] {
  const { decision } = approval;
  if (!decision) return [];
  return [
    {
      id: decision.id,
      approval_request_id: approval.id,
      action: decision.action,
      comment: decision.comment,
      decided_at: decision.decidedAt,
      idempotency_key: decisionKey(approval, decision.clientToken),
    },
  ];
}

/** Without the session manager's columns (pane, pid, transcript position). */
function sessionRow(run: Run, session: Session): Row {
  return {
    id: session.id,
    run_id: run.id,
    role_id: session.roleId,
    backend: session.backend,
    cwd: session.cwd,
    expected_artifact_path: session.expectedArtifactPath,
    expected_schema: session.expectedSchema,
    last_prompt_hash: session.lastPromptHash,
    last_prompt_at: session.lastPromptAt,
    state: session.state,
    recovery_attempts: session.recoveryAttempts - session.renewals,
  };
}

function artifactRow(run: Run, artifact: Artifact): Row {
  return {
    id: artifact.id,
    run_id: run.id,
    phase_id: artifact.phaseId,
    path: artifact.path,
    stored_path: artifact.storedPath,
    schema_id: artifact.schema,
    hash: artifact.hash,
    valid: artifact.valid,
    validation_error: artifact.errors,
    created_at: artifact.createdAt,
  };
}

function commandRow(run: Run, command: CommandRun): Row {
  return {
    id: command.id,
    run_id: run.id,
    phase_id: command.phaseId,
    kind: command.kind,
    argv: command.argv,
    cwd: command.cwd,
    exit_code: command.exitCode,
    stdout_path: command.stdoutPath,
    stderr_path: command.stderrPath,
    started_at: command.startedAt,
    ended_at: command.endedAt,
  };
}
