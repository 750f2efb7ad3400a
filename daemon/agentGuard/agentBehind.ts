/** One process, as the system reports it. */
export interface ProcessFacts {
  pid: number;
  parent: number;
  /** The leader of its session (setsid). */
  leader: number;
  /** The device of its terminal; 0 for none. */
  terminal: number;
  /** In the unit of the system. A later process with the same pid has another start time. */
  startTime: string;
  /** It is a zombie, whose environment nobody can read any more. */
  hasEnded: boolean;
  /** `empty`: there is none, or the process has overwritten it. */
  environment: 'read' | 'empty' | 'denied' | 'failed';
  /** Session ids of agents in its environment. */
  marks: readonly string[];
  /** Commands of some devflow in its environment: `<directory>/<command id>`. */
  commands: readonly string[];
}

/** A process, its parent, and so on. */
export interface ProcessChain {
  processes: readonly ProcessFacts[];
  /**
   * The process at which reading stopped too early, or the caller if it changed meanwhile. Absent if all was read, up to the
   * processes of other users.
   */
  lost?: number;
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

/**
 * The reason why an agent may have called; undefined if everything was seen. The environment of an ancestor may be
 * another user's (`sshd`, `login`, `su`), or overwritten. That of the caller may not. Pure.
 */
export function unknownBecause({ processes, lost }: ProcessChain): string | undefined {
  const [caller] = processes;
  if (caller === undefined || lost !== undefined) return `process ${lost} has ended or could not be read`;
  const ended = processes.find(({ hasEnded }) => hasEnded);
  if (ended) return `process ${ended.pid} has ended`;
  if (caller.environment === 'empty') return `process ${caller.pid} has no environment`;
  if (caller.environment === 'denied') return `devflow may not read the environment of process ${caller.pid}`;
  const unread = processes.find(({ environment }) => environment === 'failed');
  return unread && `process ${unread.pid} could not be read`;
}
