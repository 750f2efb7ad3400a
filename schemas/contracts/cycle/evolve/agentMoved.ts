import { defined } from '../../../defined.ts';
import type { AgentState, CycleState } from '../state/cycleState.ts';
import { transitionRefused } from '../state/refuse.ts';
import { withAgent } from './agents.ts';
import type { CycleEvent } from './cycleEvent.ts';

export type AgentEvent = Extract<CycleEvent, { type: `agent.${string}` }>;

/** From which states an agent comes into the next one. */
const FROM: Readonly<Record<AgentEvent['type'], readonly AgentState['status'][]>> = {
  'agent.started': ['idle', 'waiting', 'failed', 'completed'],
  'agent.waiting': ['idle', 'running'],
  'agent.completed': ['running'],
  'agent.failed': ['running', 'waiting'],
};

/** An agent starts, starts again, or waits for another. */
export function agentMoved(state: CycleState, event: AgentEvent, at: string): CycleState {
  const { agent } = event;
  const { completed_at, error, ...before } = agentBefore(state, event);
  if (event.type === 'agent.waiting') return withAgent(state, agent, { ...before, status: 'waiting' });
  return { ...withAgent(state, agent, { ...before, status: 'running', started_at: at }), current_phase: agent };
}

/** The agent with the news of the event, if it may come from where it is. */
export function agentBefore({ agents }: CycleState, { type, agent, message, output_files }: AgentEvent): AgentState {
  const before = agents[agent];
  if (!FROM[type].includes(before.status)) {
    throw transitionRefused(`${agent} is ${before.status}, so there can be no ${type}.`, {
      agent,
      status: before.status,
    });
  }
  return {
    ...before,
    output_files: [...new Set([...before.output_files, ...(output_files ?? [])])],
    ...defined({ last_message: message }),
  };
}
