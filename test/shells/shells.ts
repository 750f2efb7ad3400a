import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../tmux/command/command.ts';
import { type Robot, type Room, seatRobot } from '../helpers/robot.ts';

/** Without the person's settings; the prompt is the same everywhere. */
const SHELLS = {
  bash: {
    start: 'bash --norc --noprofile',
    set: "PS1='> '; bind 'set bell-style none'; bind 'set show-all-if-ambiguous on'; eval \"$(devflow completion bash)\"",
  },
  zsh: { start: 'zsh -f', set: 'PS1=\'> \'; unsetopt beep; eval "$(devflow completion zsh)"' },
  fish: { start: 'fish --no-config', set: "function fish_prompt; echo -n '> '; end; devflow completion fish | source" },
} as const;
export type ShellName = keyof typeof SHELLS;
export const SHELL_NAMES = Object.keys(SHELLS) as ShellName[];

/** A shell at a terminal, with devflow's completion. */
export interface ShellRobot extends Robot {
  /** Types the line on an empty prompt and presses Tab. */
  tab(line: string): void;
  /** The line at the prompt ends so after the Tab. */
  completes(line: string, end: string | RegExp): Promise<void>;
  /** Leaves the line, on a clean screen. */
  leave(): Promise<void>;
}

/** Throws if the machine has no such shell: this tier is never skipped. */
export async function openShell(name: ShellName, room: Room, devflow: string, cwd: string): Promise<ShellRobot> {
  execFileSync(name, ['-c', 'true'], { env: room.env });
  const bin = join(room.directory, name);
  execFileSync('mkdir', ['-p', bin]);
  writeFileSync(join(bin, 'devflow'), `#!/bin/sh\nexec ${shellQuote(devflow)} "$@"\n`, { mode: 0o700 });
  const env = { ...room.env, PATH: `${bin}:${room.env.PATH}` };
  const robot = seatRobot({ ...room, env }, `s-${name}`, {
    columns: 150,
    rows: 40,
    command: `cd ${shellQuote(cwd)} && exec ${SHELLS[name].start}`,
  });
  robot.type(`${SHELLS[name].set}\n`);
  await robot.until(`${name} is ready`, () => robot.screen().some((row) => row === '>'));
  // Whatever its start printed is gone before the first line.
  const shell: ShellRobot = {
    ...robot,
    tab(line) {
      robot.type(line);
      robot.press('Tab');
    },
    async completes(line, end) {
      shell.tab(line);
      await robot.until(`${name} completes ${line} to ${end}`, () => {
        const text = promptLine(robot);
        return typeof end === 'string' ? text.endsWith(end) : end.test(text);
      });
      await shell.leave();
    },
    async leave() {
      robot.press('C-a', 'C-k', 'C-l');
      await robot.until('the line is empty', () => {
        const rows = robot.screen().filter((row) => row !== '');
        return rows.length === 1 && rows[0] === '>';
      });
    },
  };
  await shell.leave();
  return shell;
}

function promptLine(robot: Robot): string {
  return robot.screen().findLast((row) => row.startsWith('>')) ?? '';
}
