import { existsSync } from 'node:fs';
import { killPane } from '../../../../tmux/panes/panes.ts';
import { startTimeOf } from '../../../../tmux/process/processes.ts';
import type { AgentServer } from '../server/agentServer.ts';
import { listAgentPanes, readSessionDirectory } from '../server/panes.ts';
import { type Launches, openLaunches } from './launches.ts';
import { endProcesses } from './processGroup.ts';

/**
 * Ends all programs of a session, even if this process does not hold it, or its tmux server has ended. The session's
 * directory records them; if the directory is unknown, the pane's mark names it.
 */
export async function endSession(
  server: AgentServer,
  sessionId: string,
  known: { directory?: string; launches?: Launches } = {},
): Promise<void> {
  const driver = await server.existing();
  const panes = driver ? await listAgentPanes(driver, sessionId) : [];
  const leaders = panes.map(({ pid }) => ({ pid, startTime: startTimeOf(pid) }));
  const last = panes.at(-1);
  const directory = known.directory ?? (driver && last && (await readSessionDirectory(driver, last)));
  const launches = known.launches ?? (directory && existsSync(directory) ? openLaunches(directory) : undefined);
  // Recorded first: after a crash in between, the next start must not take the agent for lost.
  launches?.note({ type: 'disposed' });
  await endProcesses(directory, [...leaders, ...(launches?.now().launched ?? [])]);
  for (const { pane } of panes) if (driver) await killPane(driver, pane).catch(() => {});
}
