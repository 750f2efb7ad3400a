import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findOnPath } from '../../../schemas/config/backendBinaries.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';
import { givenPerson, type Person } from './given.ts';

const test = useTmuxServer();

const bound = ({ tmux }: Person) =>
  tmux('list-keys', '-N', '-T', 'prefix')
    .split('\n')
    .filter((line) => line.includes('devflow: '))
    .map((line) => line.replace(/ +/, ' '));

const calls = ({ home }: Person) => readFileSync(join(home, 'calls'), 'utf8').trim().split('\n');

/** Bindings whose every character is easily lost on the way to an option and back. */
const THEIRS = [
  `bind-key -r -N "their 'own' note" F display-message "it's #{session_name} $HOME %H \\"x\\" ~ \\\\ ä" \\; kill-session -t nobody`,
  "bind-key A run-shell 'echo \\;'",
  'bind-key J if-shell true { display-message "a;" } { select-pane -L }',
  'bind-key -r C-g send-keys \\;',
];

it('every key opens its screen in the directory of the pane, with the client and the home', async () => {
  const person = givenPerson(test(), ["set -g @devflow-home /tmp/it\\'s#1"]);
  const odd = join(person.home, `o'd"d $(touch bad) #{pid} %H; x`);
  mkdirSync(odd);
  person.load();
  const terminal = await person.terminal();
  terminal.keys('cd o*', 'Enter');
  await terminal.shows(/\$ cd/);
  const client = person.tmux('list-clients', '-F', '#{client_name}');

  terminal.keys('C-b', 'F');
  await terminal.shows(/devflow tui\b/);
  expect(terminal.screen().replaceAll(/[│\s]/g, '')).toContain(odd.replaceAll(' ', ''));
  terminal.keys('Enter');
  await until('it is closed', () => !terminal.screen().includes('devflow tui'));
  terminal.keys('C-b', 'G');
  await terminal.shows('devflow tui --screen sessions');
  terminal.keys('Enter');
  await until('it is closed', () => !terminal.screen().includes('devflow tui'));
  // Without a daemon there is a sentence, whatever is in it.
  terminal.keys('C-b', 'A');
  await terminal.shows(/^devflow: not running; open the dashboard, or run devflow up/m);
  terminal.keys('C-b', 'J');
  await terminal.shows(/^devflow: No agent needs you 100% #S \[not_found\]\. Go on\./m);
  terminal.keys('C-b', 'B');
  await terminal.shows(/^devflow: there is no place to go back to/m);
  person.tmux('set-option', '-g', '@devflow_by', '1');
  terminal.keys('C-b', 'A');
  await terminal.shows('devflow tui --screen approvals');
  terminal.keys('Enter');
  await until('it is closed', () => !terminal.screen().includes('devflow tui'));

  const there = `:/tmp/it's#1:${client}`;
  expect(calls(person)).toEqual([
    `devflow:tui${there}`,
    `devflow:tui --screen sessions${there}`,
    `devflow:attach --next --client ${client}${there}`,
    `devflow:tui --screen approvals${there}`,
  ]);
});

it('loads as TPM does, run as a program when the server starts, with the configured keys and sizes', async () => {
  const keys = { dashboard: 'D', picker: 'G', jump: "''", back: 'C-g', approvals: '\\;' };
  const person = givenPerson(test(), [
    ...Object.entries(keys).map(([name, key]) => `set -g @devflow-key-${name} ${key}`),
    'set -g @devflow-popup-width 50',
    "set -g @devflow-popup-height '40%; kill-server'",
    // As tpm/scripts/source_plugins.sh does it; its plugins have no spaces in their paths.
    'run-shell \'ln -s "$HOME"/clone* "$HOME/plugin"; for file in $(ls "$HOME"/plugin/*.tmux); do $file >/dev/null 2>&1; done\'',
  ]);
  expect(bound(person).sort()).toEqual([
    '; devflow: gates that wait for your decision',
    'C-g devflow: back to where you were',
    'D devflow: the dashboard',
    'G devflow: all agents',
  ]);
  expect(person.tmux('list-keys', '-T', 'prefix', 'D')).toContain('-w 50 -h 90% ');
});

it('unload restores every key and leaves nothing', async () => {
  const person = givenPerson(test(), THEIRS);
  person.tmux('set-option', '-g', '@devflow-key-back', 'C-g');
  person.tmux('set-option', '-g', '@devflow-key-picker', 'c');
  const before = [person.look(), person.tmux('list-keys', '-N')];
  person.load();
  expect(bound(person)).toHaveLength(5);
  const loaded = person.look();
  person.load();
  expect(person.look()).toBe(loaded);
  person.tmux('set-option', '-g', '@devflow_status', '>1');
  // As the daemon leaves a notice for the first who comes.
  person.tmux('set-option', '-g', '@devflow_missed', '1');
  person.tmux('set-hook', '-g', 'client-session-changed[4218]', 'display-message "devflow: waits"');
  // Other keys before it is loaded again: those of before are free then.
  person.tmux('set-option', '-g', '@devflow-key-dashboard', 'c');
  person.load();
  person.tmux('set-option', '-gu', '@devflow-key-dashboard');
  person.load();
  person.tmux('set-hook', '-g', 'client-session-changed[4218]', 'display-message "devflow: waits"');
  person.load('unload');
  expect([person.look(), person.tmux('list-keys', '-N')]).toEqual(before);
  person.load('unload');
  expect(person.look()).toBe(before[0]);
});

it('unload keeps a key that was rebound after loading', async () => {
  const person = givenPerson(test(), THEIRS);
  person.load();
  person.tmux('bind-key', 'F', 'display-message', 'theirs now');
  person.load();
  expect(bound(person)).toHaveLength(5);
  person.load('unload');
  expect(person.tmux('list-keys', '-T', 'prefix', 'F')).toBe('bind-key -T prefix F display-message "theirs now"');
  person.load();
  person.tmux('bind-key', 'J', 'display-message', 'theirs now');
  person.load('unload');
  expect(person.tmux('list-keys', '-T', 'prefix', 'J')).toBe('bind-key -T prefix J display-message "theirs now"');
});

it('reports a missing requirement in one line to the first client, and binds nothing', async () => {
  const person = givenPerson(test());
  const terminal = await person.terminal();
  person.tmux('set-option', '-g', '@devflow-key-jump', 'Jump');
  person.load();
  await terminal.shows(/^devflow: tmux knows no key Jump \(@devflow-key-jump\)/m);
  expect(bound(person)).toHaveLength(4);
  person.load('unload');
  const before = person.look();
  rmSync(join(person.clone, 'dist'), { recursive: true });
  person.load();
  await terminal.shows(/^devflow: not built, so no key is bound: run npm ci in .*clone's #1/m);
  expect(person.look()).toBe(before);
});

it('also reports a tmux without popups', async () => {
  const person = givenPerson(test());
  const shims = join(person.home, 'shims');
  mkdirSync(shims);
  const real = findOnPath('tmux', process.env.PATH ?? '');
  const shim = `#!/bin/sh\nif [ "$1" = -V ]; then echo tmux 3.1c; else exec ${real} "$@"; fi\n`;
  writeFileSync(join(shims, 'tmux'), shim, { mode: 0o755 });
  person.tmux('set-environment', '-g', 'PATH', `${shims}:${process.env.PATH}`);
  const before = person.look();
  person.load();
  expect(bound(person)).toEqual([]);
  const terminal = await person.terminal();
  await terminal.shows(/^devflow: tmux 3\.1c is too old: it needs 3\.3, .* no key is bound/m);
  await until('the hook has gone', () => person.look() === before);
});
