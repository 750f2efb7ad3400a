import type { Runner } from '../../../../tmux/command/runner.ts';
import { listPaneOptions, type UserOption } from '../../../../tmux/panes/options.ts';
import { listPanes } from '../../../../tmux/panes/panes.ts';
import type { StartedPane } from '../../../../tmux/process/startPane.ts';

export const SESSION_MARK: UserOption = '@devflow_session';
/** Panes of earlier versions have the same name. */
export const LAUNCH_MARK: UserOption = '@devflow_life';
export const DIRECTORY_MARK: UserOption = '@devflow_directory';

export interface AgentPane extends StartedPane {
  launch: number;
  dead: boolean;
  sessionName: string;
}

/** The panes of a session's programs, dead or alive, oldest first, found by their marks. */
export async function listAgentPanes(runner: Runner, sessionId: string): Promise<AgentPane[]> {
  const marked = await listPaneOptions(runner, SESSION_MARK);
  const launches = await listPaneOptions(runner, LAUNCH_MARK);
  return (await listPanes(runner))
    .filter(({ pane }) => marked.get(pane) === sessionId)
    .map(({ pane, window, session, sessionName, pid, dead }) => {
      return { pane, window, session, sessionName, pid, dead, launch: Number(launches.get(pane) ?? 0) };
    })
    .sort((a, b) => a.launch - b.launch);
}

/** The directory of the pane's session; undefined if the pane has no such mark. */
export async function readSessionDirectory(runner: Runner, pane: AgentPane): Promise<string | undefined> {
  return (await listPaneOptions(runner, DIRECTORY_MARK)).get(pane.pane);
}
