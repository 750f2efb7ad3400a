import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { daemonWithPanes, ROLES } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { proveEnd } from './support.ts';

/** Options that would affect agents if devflow took them over. */
const PERSONS_OPTIONS = [
  'set -g base-index 1',
  'set -g pane-base-index 1',
  'set -g renumber-windows on',
  'set -g remain-on-exit off',
  'set -g mouse on',
  'set -g detach-on-destroy off',
  'set -g default-command "exec sh"',
  'set -s exit-empty off',
  'set -g @theirs 1',
  'set-hook -g after-new-window "display-message theirs"',
];

interface PersonsTmux {
  socket: string;
  tmux(...args: string[]): string;
  /** All that a person has there: options of every kind, hooks, sessions, windows, panes, buffers. */
  look(): string[];
}

/** A tmux server as a person has one, with a session they work in, on a socket of this test's own. */
function personsTmux(daemon: TestDaemon): PersonsTmux {
  const [socket, config] = [join(daemon.root, 'person.sock'), join(daemon.root, 'person.conf')];
  writeFileSync(config, `${PERSONS_OPTIONS.join('\n')}\n`);
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, ...args], { env: daemon.env, encoding: 'utf8' });
  tmux('-f', config, 'new-session', '-d', '-s', 'work', '-x', '100', '-y', '30', 'exec sleep 2147483647');
  onTestFinished(() => void tmux('kill-server'));
  tmux('new-window', '-d', '-t', 'work:', '-n', 'logs', 'exec sleep 2147483647');
  tmux('set-option', '-w', '-t', 'work:1', 'monitor-activity', 'on');
  tmux('set-buffer', 'theirs');
  const ofTheirs = ['work:1', 'work:2'].flatMap((window) => [
    ['show-options', '-w', '-t', window],
    ['show-options', '-p', '-t', `${window}.1`],
  ]);
  const looks = [
    ...[['-s'], ['-g'], ['-gw'], ['-t', 'work:']].map((flags) => ['show-options', ...flags]),
    ...[
      ['show-hooks', '-g'],
      ['show-environment', '-g'],
      ['show-environment', '-t', 'work:'],
    ],
    ...[['list-windows', '-t', 'work:'], ['list-panes', '-s', '-t', 'work:'], ['list-buffers'], ['list-keys']],
    ['list-sessions', '-F', '#{session_name} #{session_windows} #{session_attached} #{session_width}'],
    ...ofTheirs,
  ];
  const isOurs = /^devflow/;
  return {
    socket,
    tmux,
    look: () =>
      looks.map((args) => {
        const lines = tmux(...args).split('\n');
        return [args.join(' '), ...lines.filter((line) => !isOurs.test(line))].join('\n');
      }),
  };
}

async function wholeRun(daemon: TestDaemon, atGate: () => void): Promise<void> {
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  atGate();
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
}

const sessionsOf = ({ tmux }: PersonsTmux) => tmux('list-sessions', '-F', '#{session_name}').trim().split('\n');

test("a whole run on the person's tmux server changes nothing of theirs", async () => {
  const { daemon, env } = await daemonWithPanes();
  const person = personsTmux(daemon);
  const before = person.look();
  await daemon.start({ ...env, DEVFLOW_TMUX_SERVER: 'user', DEVFLOW_TMUX_SOCKET_PATH: person.socket });
  await wholeRun(daemon, () => {
    expect(sessionsOf(person).filter((name) => /^devflow-.+-planner-[0-9a-f]{8}$/.test(name))).toHaveLength(1);
    expect(person.look()).toEqual(before);
  });
  await daemon.stop();
  await until('nothing of ours is left', () => sessionsOf(person).join() === 'work');
  expect(person.look()).toEqual(before);
});

test("a run on devflow's own server does not touch the person's", async () => {
  const { daemon, env } = await daemonWithPanes();
  const person = personsTmux(daemon);
  const before = person.look();
  // As in a terminal of that server: a program that names no server would take this one.
  await daemon.start({ ...env, TMUX: `${person.socket},1,0`, TMUX_PANE: '%0' });
  await wholeRun(daemon, () => expect(sessionsOf(person)).toEqual(['work']));
  await daemon.stop();
  expect(person.look()).toEqual(before);
  expect(sessionsOf(person)).toEqual(['work']);
  // A change would have been found.
  person.tmux('set-option', '-w', '-t', 'work:2', '@touched', '1');
  expect(person.look()).not.toEqual(before);
});

test("without the person's server the run waits at a gate that says what to do", async () => {
  const { daemon, env } = await daemonWithPanes();
  const socket = join(daemon.root, 'person.sock');
  await daemon.start({ ...env, DEVFLOW_TMUX_SERVER: 'user', DEVFLOW_TMUX_SOCKET_PATH: socket });
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  const events: unknown[] = [];
  await drive(daemon, runId, {
    stopAt: (event) => {
      events.push(event);
      return event.type === 'approval.requested';
    },
    decide: () => undefined,
  });
  expect(JSON.stringify(events)).toContain(`The tmux server of tmux -S ${socket} is not running`);
  personsTmux(daemon);
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});
