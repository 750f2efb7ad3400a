import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDaemon } from '../helpers/daemon.ts';
import type { Room } from '../helpers/robot.ts';
import { devflowScript } from './terminals.ts';

export interface Desk extends Room {
  /** A script that runs the built devflow against the test's daemon, from any pane. */
  devflow: string;
  /** The popup of the dashboard on `F`, as a line of a tmux configuration. */
  popup: string;
}

/** What the robot needs to reach that daemon. */
export function deskFor(daemon: TestDaemon): Desk {
  const directory = join(daemon.root, 'tmux');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const env = { ...daemon.env, TERM: 'xterm-256color' };
  const devflow = devflowScript({ daemon });
  const shown = `display-popup -E -w 90% -h 90% -d '#{pane_current_path}' \\"${devflow} tui\\"`;
  return { directory, env, devflow, popup: `bind-key F run-shell -C "${shown}"` };
}
