import { AGENTS, type AgentName, type AgentState, type CycleState, type Phase } from '../state/cycleState.ts';

/** The state with one agent changed, and the phases that follow from the agents. */
export function withAgent(state: CycleState, agent: AgentName, changed: AgentState): CycleState {
  const agents = { ...state.agents, [agent]: changed };
  const others = state.completed_phases.filter((phase) => !isAgentPhase(phase));
  const completed = AGENTS.filter((each) => agents[each].status === 'completed');
  return { ...state, agents, completed_phases: [...others, ...completed] };
}

/** An agent that waits for its next turn. Its earlier work stays counted. */
export function idle(agent: AgentState): AgentState {
  const { started_at, completed_at, last_message, error, ...rest } = agent;
  return { ...rest, status: 'idle' };
}

export function openAgents({ agents }: CycleState): AgentName[] {
  return AGENTS.filter((agent) => agents[agent].status !== 'completed');
}

function isAgentPhase(phase: Phase): boolean {
  return (AGENTS as readonly Phase[]).includes(phase);
}
