import type { Binding } from '../../../schemas/definitions/persona.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { currentPhase } from '../../core/run/query.ts';
import type { Phase, Run } from '../../core/run/state.ts';
import type { Row, TableProjection } from './tableProjection.ts';

export const runRows: TableProjection<Run> = { parts: (run) => [run], row: runRow };

export const inputRows: TableProjection<Run> = { parts: (run) => [run], row: inputRow };

export const bindingRows: TableProjection<Binding> = { parts: (run) => run.bindings, row: bindingRow };

export const phaseRows: TableProjection<Phase> = { parts: (run) => run.phases, row: phaseRow };

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
    host: run.host,
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

function bindingRow(run: Run, binding: Binding): Row {
  return {
    id: derivedId('binding', run.id, binding.roleId),
    run_id: run.id,
    role_id: binding.roleId,
    persona_id: binding.personaId,
    persona_hash: binding.personaHash,
    backend: binding.backend,
    binding_hash: binding.bindingHash,
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
