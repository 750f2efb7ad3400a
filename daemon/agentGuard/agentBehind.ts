/** One process, as the system reports it. */
export interface ProcessFacts {
  pid: number;
  parent: number;
  /** The leader of its session (setsid). */
  leader: number;
  /** The device of its terminal; 0 for none. */
  terminal: number;
  /** Session ids of agents in its environment. */
  marks: readonly string[];
}

/** The first process in an agent's pane. It leads the session of the terminal. */
export interface AgentProcess {
  sessionId: string;
  pid: number;
  terminal: number;
}

/**
 * The agent to which a process belongs; undefined for none. `chain` holds the process, its parent, and so on. A process that
 * left the tree still has the agent's session, terminal or environment. Pure.
 */
export function agentBehind(
  chain: readonly ProcessFacts[],
  agents: readonly AgentProcess[],
  isSession: (sessionId: string) => boolean,
): string | undefined {
  for (const { pid, leader, terminal, marks } of chain) {
    const agent = agents.find((each) => {
      return each.pid === pid || each.pid === leader || (terminal !== 0 && each.terminal === terminal);
    });
    const sessionId = agent?.sessionId ?? marks.find(isSession);
    if (sessionId !== undefined) return sessionId;
  }
  return undefined;
}
