import { killPane } from '../../../tmux/panes.ts';
import { startTimeOf } from '../../../tmux/processes.ts';
import type { AgentServer } from './agentServer.ts';
import { type Lives, openLives } from './lives.ts';
import { findDirectory, listAgentPanes } from './panes.ts';
import { endProcesses } from './processGroup.ts';

/** Ends all programs of a session, also of one that this process does not hold: its pane says where its records are. */
export async function endSession(
  server: AgentServer,
  sessionId: string,
  held?: { directory: string; lives: Lives },
): Promise<void> {
  const driver = await server.existing();
  const panes = driver ? await listAgentPanes(driver, sessionId) : [];
  const leaders = panes.map(({ pid }) => ({ pid, startTime: startTimeOf(pid) }));
  const last = panes.at(-1);
  const directory = held?.directory ?? (driver && last && (await findDirectory(driver, last)));
  const recorded = held?.lives ?? (directory ? openLives(directory) : undefined);
  // Before the deed: killed in between, the next start does not take it for an agent that was lost.
  recorded?.note({ type: 'disposed' });
  await endProcesses(directory, [...leaders, ...(recorded?.now().launched ?? [])]);
  for (const { pane } of panes) if (driver) await killPane(driver, pane).catch(() => {});
}
