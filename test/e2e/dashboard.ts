import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { shellQuote } from '../../tmux/command/command.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import type { Robot, Room } from '../helpers/robot.ts';
import { devflowScript } from './terminals.ts';

export interface Desk extends Room {
  /** A script that runs the built devflow against the test's daemon, from any pane. */
  devflow: string;
  /** A person's tmux configuration, with the plugin. */
  config: string[];
}

/** What the robot needs to reach that daemon. */
export function deskFor(daemon: TestDaemon): Desk {
  const directory = join(daemon.root, 'tmux');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const env = { ...daemon.env, TERM: 'xterm-256color' };
  const devflow = devflowScript({ daemon });
  const config = [`run-shell ${shellQuote(join(inject('built'), 'devflow.tmux'))}`];
  return { directory, env, devflow, config };
}

/** A gate that has only just appeared refuses the key. Once the dashboard no longer says so, the same key decides. */
export async function decideBy(robot: Robot, key: string, decided: string): Promise<void> {
  const early = 'has only just appeared';
  const says = (text: string) => robot.screen().some((row) => row.includes(text));
  robot.press(key);
  await robot.until(`the dashboard says: ${decided}`, () => says(decided) || says(early));
  if (!says(decided)) {
    await robot.loses(early);
    robot.press(key);
  }
  await robot.sees(decided);
}
