import type { SessionState, StallCause } from '../../schemas/enums.ts';
import type { AgentFates } from '../../schemas/rpc/views/agents.ts';
import type { DefinitionProblem } from '../../schemas/rpc/views/definition.ts';
import type { Database } from '../db/open.ts';
import type { Run } from '../engine/core/state.ts';
import type { DaemonPort } from '../rpc/ports.ts';
import type { Lists } from '../store/lists.ts';
import { listOpenSessions } from '../store/sessions.ts';

/** What the daemon says of itself. */
export function createDaemonPort(options: {
  version: string;
  socketPath: string;
  startedAt: Date;
  database: Database;
  lists: Lists;
  problems: DefinitionProblem[];
  survivors(): AgentFates;
  openRuns(): Run[];
  stop(): void;
}): DaemonPort {
  const { version, socketPath, startedAt, database, lists, problems, survivors, openRuns, stop } = options;
  return {
    version,
    pid: process.pid,
    stop,
    async status() {
      const [runs, pending, sessions] = await Promise.all([
        lists.countRuns(),
        lists.countPendingApprovals(),
        listOpenSessions(database.drizzle),
      ]);
      const counts: Partial<Record<SessionState, number>> = {};
      for (const { state } of sessions) counts[state as SessionState] = (counts[state as SessionState] ?? 0) + 1;
      return {
        daemon: { pid: process.pid, version, socket: socketPath, startedAt: startedAt.toISOString() },
        database: { mode: database.mode, ok: true },
        runs,
        approvals: { pending },
        sessions: counts,
        stalls: countStalls(openRuns()),
        agents: survivors(),
        problems,
      };
    },
  };
}

function countStalls(runs: readonly Run[]): Partial<Record<StallCause, number>> {
  const counts: Partial<Record<StallCause, number>> = {};
  for (const { stall } of runs.flatMap(({ sessions }) => sessions)) {
    if (stall) counts[stall.cause] = (counts[stall.cause] ?? 0) + 1;
  }
  return counts;
}
