/** One process, as the system tells of it. */
export interface ProcessFacts {
  pid: number;
  parent: number;
  /** The leader of its session (setsid). */
  leader: number;
  /** The device of its terminal; 0 for none. */
  terminal: number;
  /** Sessions of agents that its environment names. */
  marks: readonly string[];
}

/** The first process in the pane of an agent, which leads the session of its terminal. */
export interface AgentProcess {
  sessionId: string;
  pid: number;
  terminal: number;
}

/**
 * The agent in whose tree a process is; undefined for none. `chain`: the process, its parent, and so on. One that left the
 * tree is still told by the session or the terminal it kept, or by its environment. Pure.
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
