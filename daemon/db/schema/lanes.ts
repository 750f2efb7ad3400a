import { integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { LaneState, TaskState } from '../../../schemas/enums.ts';
import { id, oneOf, updatedAt } from './columns.ts';
import { runPhases } from './phases.ts';
import { runs } from './runs.ts';

const phaseId = () =>
  uuid('phase_id')
    .notNull()
    .references(() => runPhases.id);

/** The lanes that phases opened. `main` has no row: its worktree is that of the run. */
export const lanes = pgTable(
  'lanes',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    laneId: text('lane_id').notNull(),
    phaseId: phaseId(),
    /** The role instance that works in it. */
    roleId: text('role_id').notNull(),
    /** The absolute path of its worktree. */
    path: text('path').notNull(),
    branch: text('branch').notNull(),
    /** The tip of `main` that it builds on. */
    base: text('base').notNull(),
    /** devflow's last commit in it; null before the first. */
    head: text('head'),
    state: text('state').$type<LaneState>().notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('lanes_run_id_lane_id_key').on(t.runId, t.laneId),
    oneOf('lanes_state_check', t.state, LaneState.options),
  ],
);

/** The tasks of the plan that a phase of lanes carries out. */
export const laneTasks = pgTable(
  'lane_tasks',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    phaseId: phaseId(),
    taskId: text('task_id').notNull(),
    /** Null until it is given to a lane. */
    laneId: text('lane_id'),
    title: text('title').notNull(),
    state: text('state').$type<TaskState>().notNull(),
    /** The place of the task in the plan, from 1. */
    seq: integer('seq').notNull(),
    /** The task's definition in the plan. */
    definition: jsonb('definition').notNull(),
    /** Its commit; null before it is completed. */
    work: jsonb('work'),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('lane_tasks_run_id_phase_id_task_id_key').on(t.runId, t.phaseId, t.taskId),
    oneOf('lane_tasks_state_check', t.state, TaskState.options),
  ],
);
