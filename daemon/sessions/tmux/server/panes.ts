import type { StartedPane } from '../../../../tmux/launch.ts';
import { listPaneOptions, type UserOption } from '../../../../tmux/options.ts';
import { listPanes } from '../../../../tmux/panes.ts';
import type { Runner } from '../../../../tmux/tmux.ts';

export const SESSION_MARK: UserOption = '@devflow_session';
export const LIFE_MARK: UserOption = '@devflow_life';
export const DIRECTORY_MARK: UserOption = '@devflow_directory';

export interface AgentPane extends StartedPane {
  life: number;
  dead: boolean;
  sessionName: string;
}

/** The panes of that session's programs, dead or alive, oldest first, by the marks that were made with them. */
export async function listAgentPanes(runner: Runner, sessionId: string): Promise<AgentPane[]> {
  const marked = await listPaneOptions(runner, SESSION_MARK);
  const lives = await listPaneOptions(runner, LIFE_MARK);
  return (await listPanes(runner))
    .filter(({ pane }) => marked.get(pane) === sessionId)
    .map(({ pane, window, session, sessionName, pid, dead }) => {
      return { pane, window, session, sessionName, pid, dead, life: Number(lives.get(pane) ?? 0) };
    })
    .sort((a, b) => a.life - b.life);
}

/** The directory of the session whose pane it is; undefined when there is none. */
export async function findDirectory(runner: Runner, pane: AgentPane): Promise<string | undefined> {
  return (await listPaneOptions(runner, DIRECTORY_MARK)).get(pane.pane);
}
