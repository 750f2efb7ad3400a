import type { Binding } from '../../../schemas/definitions/persona.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { appliedAt } from '../../core/run/applied.ts';
import { currentPhase } from '../../core/run/query.ts';
import type { Phase, Run } from '../../core/run/state.ts';
import { givenTitle } from '../../core/run/title.ts';
import type { RowOf } from '../../db/schema/projected.ts';
import type { TableProjection } from './tableProjection.ts';

export const runRows: TableProjection<'runs', Run> = { parts: (run) => [run], row: runRow };

export const inputRows: TableProjection<'run_inputs', Run> = { parts: (run) => [run], row: inputRow };

export const bindingRows: TableProjection<'run_bindings', Binding> = { parts: (run) => run.bindings, row: bindingRow };

export const phaseRows: TableProjection<'run_phases', Phase> = { parts: (run) => run.phases, row: phaseRow };

function runRow(run: Run): RowOf<'runs'> {
  return {
    id: run.id,
    template_id: run.templateId,
    template_hash: run.templateHash,
    state: run.state,
    repo_path: run.repoPath,
    repository: run.repository,
    base_branch: run.baseBranch,
    title: givenTitle(run),
    slot: run.slot,
    host: run.host,
    worktree_root: run.worktreeRoot,
    current_phase_id: currentPhase(run)?.id ?? null,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    applied_at: appliedAt(run),
    final_report_path: run.reportPath,
    paused_from_state: run.pausedFrom,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
  };
}

function inputRow(run: Run): RowOf<'run_inputs'> {
  return {
    id: derivedId('input', run.id),
    run_id: run.id,
    requirements_md: run.requirementsMd,
    objective: run.objective,
    extra: run.extra,
    input_hash: run.inputHash,
  };
}

function bindingRow(run: Run, binding: Binding): RowOf<'run_bindings'> {
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

function phaseRow(run: Run, phase: Phase): RowOf<'run_phases'> {
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
