import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { Backend, RunState, TERMINAL_RUN_STATES } from '../../../schemas/enums.ts';
import { agentPersonas, workflowTemplates } from './catalog.ts';
import { createdAt, id, instant, oneOf, updatedAt } from './columns.ts';

const ended = sql.raw(TERMINAL_RUN_STATES.map((state) => `'${state}'`).join(', '));

/** A violation of this index means that another open run exists. */
export const ACTIVE_RUN_INDEX = 'ux_active_run_repo_base';

/** A violation of this index means that another open run works in the same directory. */
export const OPEN_WORKTREE_INDEX = 'ux_open_run_worktree';

export const runs = pgTable(
  'runs',
  {
    id: id(),
    templateId: uuid('template_id')
      .notNull()
      .references(() => workflowTemplates.id),
    templateHash: text('template_hash').notNull(),
    state: text('state').$type<RunState>().notNull(),
    /** Canonical and absolute; so is `worktree_root`. */
    repoPath: text('repo_path').notNull(),
    /** Canonical path of git's common directory: all worktrees of a repository have the same. */
    repository: text('repository').notNull(),
    baseBranch: text('base_branch').notNull(),
    /** 0, unless the run was started beside another open one of its repository and base branch. */
    slot: integer('slot').notNull().default(0),
    /** The host that has the run's files and agents; null: the one whose daemon led alone. */
    host: text('host'),
    /** What a person or an agent calls it; null: the first line of its requirements is its title. */
    title: text('title'),
    worktreeRoot: text('worktree_root').notNull(),
    /** References run_phases(id), deferred. drizzle does not support that, so a custom migration adds the foreign key. */
    currentPhaseId: uuid('current_phase_id'),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** When a person took its work over last; null: nobody did, or an older devflow did not record it. */
    appliedAt: instant('applied_at'),
    finalReportPath: text('final_report_path'),
    pausedFromState: text('paused_from_state').$type<RunState>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // Two hosts may have different repositories at the same path.
    uniqueIndex(ACTIVE_RUN_INDEX)
      .on(sql`coalesce(${t.host}, '')`, t.repository, t.baseBranch, t.slot)
      .where(sql`${t.state} NOT IN (${ended})`),
    uniqueIndex(OPEN_WORKTREE_INDEX)
      .on(sql`coalesce(${t.host}, '')`, t.worktreeRoot)
      .where(sql`${t.state} NOT IN (${ended})`),
    oneOf('runs_state_check', t.state, RunState.options),
    oneOf('runs_paused_from_state_check', t.pausedFromState, RunState.options),
  ],
);

export const runInputs = pgTable('run_inputs', {
  id: id(),
  runId: uuid('run_id')
    .notNull()
    .unique('run_inputs_run_id_key')
    .references(() => runs.id, { onDelete: 'cascade' }),
  requirementsMd: text('requirements_md').notNull(),
  objective: jsonb('objective'),
  extra: jsonb('extra'),
  inputHash: text('input_hash').notNull(),
});

export const runBindings = pgTable(
  'run_bindings',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    roleId: text('role_id').notNull(),
    personaId: uuid('persona_id')
      .notNull()
      .references(() => agentPersonas.id),
    personaHash: text('persona_hash').notNull(),
    backend: text('backend').$type<Backend>().notNull(),
    bindingHash: text('binding_hash').notNull(),
  },
  (t) => [
    unique('run_bindings_run_id_role_id_key').on(t.runId, t.roleId),
    oneOf('run_bindings_backend_check', t.backend, Backend.options),
  ],
);
