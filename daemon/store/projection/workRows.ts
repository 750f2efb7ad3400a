import type { CommandRun } from '../../core/run/commandRun.ts';
import type { Artifact, Run, Session } from '../../core/run/state.ts';
import type { RowOf } from '../../db/schema/projected.ts';
import type { TableProjection } from './tableProjection.ts';

export const sessionRows: TableProjection<'tui_sessions', Session> = { parts: (run) => run.sessions, row: sessionRow };

export const artifactRows: TableProjection<'artifacts', Artifact> = { parts: (run) => run.artifacts, row: artifactRow };

export const commandRows: TableProjection<'commands', CommandRun> = { parts: (run) => run.commands, row: commandRow };

/** Without the session manager's columns (pane, pid, transcript position). */
function sessionRow(run: Run, session: Session): RowOf<'tui_sessions'> {
  return {
    id: session.id,
    run_id: run.id,
    role_id: session.roleId,
    lane_id: session.laneId,
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

function artifactRow(run: Run, artifact: Artifact): RowOf<'artifacts'> {
  return {
    id: artifact.id,
    run_id: run.id,
    phase_id: artifact.phaseId,
    lane_id: artifact.laneId,
    path: artifact.path,
    stored_path: artifact.storedPath,
    schema_id: artifact.schema,
    hash: artifact.hash,
    valid: artifact.valid,
    validation_error: artifact.errors,
    created_at: artifact.createdAt,
  };
}

function commandRow(run: Run, command: CommandRun): RowOf<'commands'> {
  return {
    id: command.id,
    run_id: run.id,
    phase_id: command.phaseId,
    lane_id: command.laneId,
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
