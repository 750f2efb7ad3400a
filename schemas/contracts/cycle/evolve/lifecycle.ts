import { DevflowError } from '../../../errors.ts';
import { type CycleState, openIteration } from '../state/cycleState.ts';
import { requireLimit, requireTask } from '../state/newCycle.ts';
import { transitionRefused } from '../state/refuse.ts';
import { timeOf } from './evolve.ts';
import { openNext } from './iterations.ts';

/** A person's decisions about a whole cycle. Each refuses what the status does not allow. */

export function pauseCycle(state: CycleState, now: number): CycleState {
  return move(state, ['running'], { status: 'paused' }, now);
}

export function resumeCycle(state: CycleState, now: number): CycleState {
  return move(state, ['paused'], { status: 'running' }, now);
}

export function failCycle(state: CycleState, reason: string, now: number): CycleState {
  if (reason.trim() === '') throw new DevflowError('usage', '--reason is empty. Say why the cycle failed.');
  return move(state, ['created', 'running', 'paused'], { status: 'failed', failure_reason: reason }, now);
}

export function completeCycle(state: CycleState, now: number): CycleState {
  const completed_at = timeOf(state, now);
  const completed = move(state, ['running'], { status: 'completed', completed_at, current_phase: 'complete' }, now);
  const open = openIteration(state);
  if (open || state.iterations.length === 0) {
    const why = open ? `Iteration ${open.number} is not completed` : 'No iteration has been completed';
    throw transitionRefused(`${why}, so the cycle cannot be.`, { status: state.status });
  }
  return completed;
}

/** The next iteration, for what the user asks in addition. A completed cycle begins to run again. */
export function extendCycle(
  state: CycleState,
  { task, maxIterations }: { task: string; maxIterations?: number },
  now: number,
): CycleState {
  requireTask(task);
  const max_iterations = raisedLimit(state, maxIterations);
  if (state.status === 'failed' || state.iterations.length === 0) {
    const why = state.status === 'failed' ? 'The cycle failed' : 'The first iteration has not started';
    throw transitionRefused(`${why}, so it cannot be extended.`, { status: state.status });
  }
  const at = timeOf(state, now);
  const { completed_at, ...open } = openNext({ ...state, max_iterations }, at, task);
  const { ra } = open.agents;
  const feedback = { timestamp: at, source: 'user', target: 'ra', content: task, type: 'requirement_update' } as const;
  return {
    ...open,
    description: `${state.description}\n\n--- ITERATION ${open.current_iteration} ---\n${task}`,
    task_history: [...state.task_history, task],
    agents: { ...open.agents, ra: { ...ra, status: 'running', started_at: at } },
    coordination: { ...open.coordination, feedback_log: [...open.coordination.feedback_log, feedback] },
    updated_at: at,
  };
}

/** The limit is raised with an extension, and never lowered. */
function raisedLimit({ max_iterations }: CycleState, wanted: number | undefined): number {
  if (wanted === undefined || requireLimit(wanted) >= max_iterations) return wanted ?? max_iterations;
  throw new DevflowError(
    'usage',
    `--max-iterations ${wanted} is lower than the limit of the cycle, ${max_iterations}.`,
  );
}

function move(
  state: CycleState,
  from: readonly CycleState['status'][],
  changed: Partial<CycleState>,
  now: number,
): CycleState {
  if (from.includes(state.status)) return { ...state, ...changed, updated_at: timeOf(state, now) };
  throw transitionRefused(`The cycle is ${state.status}, so it cannot become ${changed.status}.`, {
    status: state.status,
  });
}
