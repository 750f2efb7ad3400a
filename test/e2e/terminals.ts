import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { shellQuote } from '../../tmux/command/command.ts';
import { eventually } from '../helpers/eventually.ts';
import type { Panes } from '../helpers/paneDaemon.ts';

/** A tmux server in place of a person's terminals, or of their tmux. */
export interface Terminals {
  socket: string;
  tmux(...args: string[]): string;
  /** A terminal of that size that runs a shell or `command` as outside tmux, and takes keys. */
  open(name: string, options?: { columns?: number; rows?: number; command?: string }): Terminal;
}

export interface Terminal {
  /** By tmux's names: `C-b`, `Enter`. */
  keys(...keys: string[]): void;
  type(text: string): void;
  screen(): string;
  shows(text: string | RegExp): Promise<void>;
}

export function makeTerminals({ daemon }: Panes, name: string): Terminals {
  const socket = join(daemon.root, 'tmux', name);
  const env = { ...daemon.env, PS1: '$ ', SHELL: '/bin/sh' };
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    }).trimEnd();
  onTestFinished(() => void tmux('start-server', ';', 'kill-server'));
  return {
    socket,
    tmux,
    open(session, { columns = 100, rows = 30, command = 'exec sh' } = {}) {
      const size = ['-x', String(columns), '-y', String(rows)];
      const program = `unset TMUX TMUX_PANE; ${command}`;
      tmux('new-session', '-d', '-s', session, ...size, program, ';', 'set-option', '-t', session, 'status', 'off');
      return terminalOf(tmux, `=${session}:`);
    },
  };
}

/** The pane of a tmux server as a person uses it. */
export function terminalOf(tmux: Terminals['tmux'], target: string): Terminal {
  const screen = () => tmux('capture-pane', '-p', '-t', target);
  return {
    keys: (...keys) => void tmux('send-keys', '-t', target, ...keys),
    type: (text) => void tmux('send-keys', '-t', target, '-l', text),
    screen,
    shows: (text) => eventually(() => expect(screen()).toMatch(text)),
  };
}

/** A `devflow` for panes of any server, which may have another environment than the test's daemon. */
export function devflowScript({ daemon }: Pick<Panes, 'daemon'>): string {
  const path = join(daemon.root, 'devflow.sh');
  const variables = Object.entries(daemon.env).map(([key, value]) => `export ${key}=${shellQuote(value)}`);
  const program = shellQuote(join(inject('built'), 'bin', 'devflow'));
  writeFileSync(path, ['#!/bin/sh', ...variables, `exec ${program} "$@"`, ''].join('\n'), { mode: 0o700 });
  return path;
}
