import { AGENTS, type AgentName, type AgentState, type CycleState, openIteration } from '../state/cycleState.ts';
import { refusal, transitionRefused } from '../state/refuse.ts';
import { idle, openAgents } from './agents.ts';
import type { Payloads } from './cycleEvent.ts';

/** The next iteration, without words of the user. */
export function iterationStarted(state: CycleState, at: string): CycleState {
  if (state.status !== 'created' && state.status !== 'running') {
    throw transitionRefused(`The cycle is ${state.status}, so no iteration can start.`, { status: state.status });
  }
  return openNext(state, at);
}

/** A state with one more iteration that is open. */
export function openNext(state: CycleState, at: string, extension?: string): CycleState {
  const open = openIteration(state);
  if (open)
    throw refusal('cycle_iteration_open', `Iteration ${open.number} is not completed.`, { iteration: open.number });
  const number = state.current_iteration + 1;
  if (number > state.max_iterations) {
    const message = `The cycle may have ${state.max_iterations} iterations, and all of them are used.`;
    throw refusal('cycle_max_iterations', message, { maxIterations: state.max_iterations });
  }
  const said = extension === undefined ? {} : { extension };
  return {
    ...state,
    status: 'running',
    current_iteration: number,
    agents: mapAgents(state, idle),
    current_phase: 'ra',
    completed_phases: [],
    iterations: [...state.iterations, { number, ...said, started_at: at, agent_results: {} }],
  };
}

/** All four agents have completed. The default is that there are no issues. */
export function iterationCompleted(
  state: CycleState,
  { issues_found = [], resolved = issues_found.length === 0 }: Payloads['iteration.completed'],
  at: string,
): CycleState {
  const agents = openAgents(state);
  if (agents.length > 0) {
    throw refusal('cycle_agents_open', `These agents have not completed: ${agents.join(', ')}.`, { agents });
  }
  const record = {
    ...openIteration(state),
    completed_at: at,
    issues_found,
    resolved,
  } as CycleState['iterations'][number];
  return { ...state, iterations: [...state.iterations.slice(0, -1), record] };
}

function mapAgents({ agents }: CycleState, change: (agent: AgentState) => AgentState): Record<AgentName, AgentState> {
  const changed = AGENTS.map((agent) => [agent, change(agents[agent])]);
  return { ...agents, ...Object.fromEntries(changed) };
}
