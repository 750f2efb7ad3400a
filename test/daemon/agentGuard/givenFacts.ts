import type { ProcessFacts } from '../../../daemon/agentGuard/agentBehind.ts';

/** What the system shows of a process that nothing connects with an agent. */
export function givenFacts(pid: number, parent: number, more: Partial<ProcessFacts> = {}): ProcessFacts {
  const known = { startTime: '1', hasEnded: false, environment: 'read', marks: [], commands: [] } as const;
  return { pid, parent, leader: pid, terminal: 0, ...known, ...more };
}
