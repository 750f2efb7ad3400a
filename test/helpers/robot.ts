import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

/** A person at a terminal: a pane of the test's own tmux server, which runs a shell, a program or the person's tmux. */
export interface Robot {
  /** By tmux's names: `C-b`, `Enter`, `Escape`, `x`. */
  press(...keys: string[]): void;
  type(text: string): void;
  /** Presses and releases the left button. Row and column count from 0. */
  click(row: number, column: number): void;
  wheel(direction: 'up' | 'down', row: number, column: number): void;
  /** Resizes the terminal. */
  resize(columns: number, rows: number): void;
  /** Changes the terminal's background colour, which it reports to a program that asks. */
  background(color: string): void;
  /** The screen row by row, without trailing blanks. */
  screen(): string[];
  /** The same with colours and attributes, as a terminal would repaint it. */
  painted(): string;
  /** Waits until it is on the screen. Fails with the present screen. */
  sees(what: string | RegExp): Promise<void>;
  /** Waits until it is gone from the screen. */
  loses(what: string | RegExp): Promise<void>;
  /** Waits for a condition that the screen does not show. Fails with the present screen. */
  until(sentence: string, is: () => boolean | Promise<boolean>): Promise<void>;
  /** The prefix and a key, to which the person's tmux binds a popup. */
  openPopup(key: string): void;
  /** A format of the pane: `#{alternate_on}`, `#{cursor_flag}`, `#{pane_tty}`. */
  ask(format: string): string;
}

export interface Room {
  /** The directory for sockets and configurations. */
  directory: string;
  env: Record<string, string>;
}

export interface RobotOptions {
  columns?: number;
  rows?: number;
  /** The program; absent: a shell. The terminal ends with it. */
  command?: string;
  /** The background colour, `#ffffff`, which the terminal reports to a program that asks. */
  background?: string;
}

type Tmux = (...args: string[]) => string;

/** A terminal outside any tmux. Each robot has its own server, which ends with the test. */
export function seatRobot(room: Room, name: string, options: RobotOptions = {}): Robot {
  const { columns = 80, rows = 24, command = 'exec sh', background } = options;
  // Hides the tmux around the pane. No key waits for the rest of a sequence.
  const tmux = makeTmux(room, name, [
    'set -g status off',
    'set -s escape-time 0',
    'set -g default-terminal tmux-256color',
    ...(background === undefined ? [] : [`set -g window-style bg=${background}`]),
  ]);
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', '-s', 'robot', ...size, `unset TMUX TMUX_PANE; ${command}`);
  return robotAt(tmux, '=robot:');
}

/** The person's own tmux, used by the robot. Popups open there. */
export interface RobotTmux {
  robot: Robot;
  socket: string;
  tmux: Tmux;
}

/** `config` is the person's configuration: bindings, `run-shell devflow.tmux`. */
export async function seatRobotInTmux(
  room: Room,
  name: string,
  { config = [], ...options }: Omit<RobotOptions, 'command'> & { config?: readonly string[] } = {},
): Promise<RobotTmux> {
  const own = `${name}-own`;
  const tmux = makeTmux(room, own, ['set -s escape-time 0', 'set -g default-terminal tmux-256color', ...config]);
  tmux('new-session', '-d', '-s', 'work', '-x', '80', '-y', '23', 'exec sh');
  const socket = join(room.directory, own);
  const robot = seatRobot(room, name, { ...options, command: `exec tmux -S ${socket} attach -t work` });
  await until('the person is attached', () => tmux('list-clients', '-F', '#{client_name}') !== '');
  return { robot, socket, tmux };
}

function makeTmux({ directory, env }: Room, name: string, config: readonly string[]): Tmux {
  const file = join(directory, `${name}.conf`);
  writeFileSync(file, `${config.join('\n')}\n`);
  const socket = join(directory, name);
  const own = { ...env, PS1: '$ ', SHELL: '/bin/sh', TERM: 'xterm-256color' };
  const tmux: Tmux = (...args) =>
    execFileSync('tmux', ['-S', socket, '-f', file, ...args], { encoding: 'utf8', env: own, stdio: 'pipe' }).trimEnd();
  onTestFinished(() => void tmux('start-server', ';', 'kill-server'));
  return tmux;
}

function robotAt(tmux: Tmux, target: string): Robot {
  const send = (...args: string[]) => void tmux('send-keys', '-t', target, ...args);
  const mouse = (button: number, row: number, column: number, end: 'M' | 'm') =>
    send('-l', `\u001b[<${button};${column + 1};${row + 1}${end}`);
  const screen = () => tmux('capture-pane', '-p', '-t', target).split('\n');
  const has = (what: string | RegExp) => {
    const text = screen().join('\n');
    return typeof what === 'string' ? text.includes(what) : what.test(text);
  };
  const wait: Robot['until'] = async (sentence, is) => {
    await until(sentence, is).catch((error: Error) => {
      throw new Error(`${error.message}; the screen is:\n${screen().join('\n')}`);
    });
  };
  const robot: Robot = {
    press: (...keys) => {
      // One by one, as a person types: the effect of a key is visible before the next key.
      for (const key of keys) send(key);
    },
    type: (text) => send('-l', text),
    background: (color) => void tmux('set-option', '-g', 'window-style', `bg=${color}`),
    click(row, column) {
      mouse(0, row, column, 'M');
      mouse(0, row, column, 'm');
    },
    wheel: (direction, row, column) => mouse(direction === 'up' ? 64 : 65, row, column, 'M'),
    resize: (columns, rows) => void tmux('resize-window', '-t', target, '-x', String(columns), '-y', String(rows)),
    screen,
    painted: () => tmux('capture-pane', '-e', '-p', '-t', target),
    sees: (what) => wait(`the robot sees ${what}`, () => has(what)),
    loses: (what) => wait(`the robot no longer sees ${what}`, () => !has(what)),
    until: wait,
    openPopup: (key) => robot.press('C-b', key),
    ask: (format) => tmux('display-message', '-p', '-t', target, format),
  };
  return robot;
}
