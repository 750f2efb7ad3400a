import { spawn } from 'node:child_process';
import type { Runner } from '../../tmux/command/runner.ts';
import { listPanes } from '../../tmux/panes/panes.ts';
import type { Io } from '../io.ts';

/**
 * Whether standard input is a terminal that is no pane of this server: that of a popup, or one that was opened from a pane.
 * `TMUX_PANE` cannot tell: a popup inherits it from a server that was itself started inside tmux.
 */
export async function hasOwnTerminal(io: Io, server: Runner): Promise<boolean> {
  if (!io.inIsTty) return false;
  const [name, panes] = await Promise.all([
    terminalName(),
    // A server that does not answer has no pane that this could be.
    listPanes(server).catch(() => []),
  ]);
  // The system may have given the terminal of a dead pane to somebody else.
  return name === undefined ? !io.env.TMUX_PANE : !panes.some(({ tty, dead }) => tty === name && !dead);
}

/** As `tty` prints it; undefined where it does not know, as in some containers. */
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
