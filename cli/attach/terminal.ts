import { spawn } from 'node:child_process';
import type { Runner } from '../../tmux/command/runner.ts';
import { listPanes } from '../../tmux/panes/panes.ts';
import type { Io } from '../io/io.ts';

/**
 * True if standard input is a terminal, but no pane of this server. It may be a popup, or opened from a pane.
 * `TMUX_PANE` does not tell, because a popup can inherit it from a server that was started inside tmux.
 */
export async function hasOwnTerminal(io: Io, server: Runner): Promise<boolean> {
  if (!io.inIsTty) return false;
  const [name, panes] = await Promise.all([terminalName(), listPanes(server).catch(() => [])]);
  // The system may reuse the terminal of a dead pane.
  return name === undefined ? !io.env.TMUX_PANE : !panes.some(({ tty, dead }) => tty === name && !dead);
}

/** The name that `tty` prints; undefined if it knows none, as in some containers. */
function terminalName(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('tty', [], { stdio: ['inherit', 'pipe', 'ignore'] });
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? said.trim() : undefined));
  });
}
