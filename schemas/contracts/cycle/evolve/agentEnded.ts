import { type CycleState, openIteration } from '../state/cycleState.ts';
import { type AgentEvent, agentBefore } from './agentMoved.ts';
import { openAgents, withAgent } from './agents.ts';

/** An agent completed its part of the iteration, or failed. */
export function agentEnded(state: CycleState, event: AgentEvent, at: string): CycleState {
  const { agent, type } = event;
  const { error, ...before } = agentBefore(state, event);
  if (type === 'agent.failed') {
    const reason = event.error ?? '';
    const failed = withAgent(state, agent, { ...before, status: 'failed', error: reason });
    const phase_errors = [...state.phase_errors, { phase: agent, error: reason, timestamp: at }];
    return withResult({ ...failed, phase_errors }, event, 'failed');
  }
  const iterations_completed = before.iterations_completed + 1;
  const completed = withAgent(state, agent, { ...before, status: 'completed', completed_at: at, iterations_completed });
  const result = withResult(completed, event, 'completed');
  return openAgents(result).length === 0 ? { ...result, current_phase: 'aggregation' } : result;
}

/** Without a number, the agent modified the files that it names. */
function withResult(
  state: CycleState,
  { agent, files_modified, output_files }: AgentEvent,
  status: string,
): CycleState {
  const open = openIteration(state);
  if (!open) return state;
  const result = { status, files_modified: files_modified ?? new Set(output_files).size };
  const record = { ...open, agent_results: { ...open.agent_results, [agent]: result } };
  return { ...state, iterations: [...state.iterations.slice(0, -1), record] };
}
