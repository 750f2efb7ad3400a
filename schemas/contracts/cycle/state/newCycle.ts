import { DevflowError } from '../../../errors.ts';
import { requireCycleId } from './cycleId.ts';
import {
  AGENTS,
  type AgentName,
  type AgentState,
  type CycleState,
  MAX_ITERATIONS,
  TITLE_CHARACTERS,
} from './cycleState.ts';
import { cycleTime } from './cycleTime.ts';

export interface NewCycle {
  id: string;
  task: string;
  /** Without it, the task. */
  description?: string;
  maxIterations?: number;
}

/** The state of a cycle that has not begun. */
export function newCycle({ id, task, description = task, maxIterations }: NewCycle, now: number): CycleState {
  const at = cycleTime(now);
  requireTask(task);
  return {
    cycle_id: requireCycleId(id),
    title: firstCharacters(task, TITLE_CHARACTERS),
    description,
    task_history: [task],
    status: 'created',
    created_at: at,
    updated_at: at,
    max_iterations: requireLimit(maxIterations ?? MAX_ITERATIONS),
    current_iteration: 0,
    agents: idleAgents(),
    current_phase: 'init',
    completed_phases: [],
    phase_errors: [],
    iterations: [],
    coordination: { feedback_log: [], pending_decisions: [], blockers: [] },
  };
}

export function idleAgents(): Record<AgentName, AgentState> {
  const idle = (): AgentState => ({ status: 'idle', output_files: [], iterations_completed: 0 });
  return Object.fromEntries(AGENTS.map((agent) => [agent, idle()])) as Record<AgentName, AgentState>;
}

/** Refuses an empty task. */
export function requireTask(task: string): string {
  if (task.trim() !== '') return task;
  throw new DevflowError('usage', 'The task is empty.', { recoveryHint: 'Say with --task what is to be done.' });
}

/** Refuses a limit that is no whole number from 1. */
export function requireLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new DevflowError('usage', `--max-iterations ${limit} is no whole number from 1.`);
}

/** The first characters as people count them: it cuts no surrogate pair. */
export function firstCharacters(text: string, most: number): string {
  // A character has at most two units.
  return [...text.slice(0, 2 * most)].slice(0, most).join('');
}

/** True if a text has more characters. It does not count further. */
export function isLongerThan(text: string, most: number): boolean {
  return firstCharacters(text, most).length < text.length;
}
