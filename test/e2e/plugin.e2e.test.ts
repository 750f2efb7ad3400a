import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { shellQuote } from '../../tmux/command/command.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, type Panes, ROLES } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { makeTerminals } from './terminals.ts';

/** A run at its first gate, its planner idle in a pane that has this text typed into it. */
async function givenRunAtGate({ daemon, tmux }: Panes, text: string) {
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const { tmux: pane } = await daemon.call('session.attachTarget', { target: `${runId}/planner` });
  tmux('send-keys', '-t', pane.paneId, '-l', text);
  return { runId, session: tmux('display-message', '-p', '-t', pane.paneId, '#{session_name}') };
}

/** A person's tmux with the plugin, and their terminal. Its prefix is not the usual one. */
async function givenPerson(panes: Panes) {
  const person = makeTerminals(panes, 'person');
  person.tmux('new-session', '-d', '-s', 'work', '-x', '110', '-y', '29', 'exec sh');
  // On a busy machine keys arrive together, and tmux would take them for a paste.
  person.tmux('set-option', '-g', 'prefix', 'C-a', ';', 'set-option', '-g', 'assume-paste-time', '0');
  person.tmux('set-option', '-g', 'status-right', '[#{@devflow_status}]');
  const entry = shellQuote(join(inject('built'), 'devflow.tmux'));
  const plugin = (word = '') => person.tmux('run-shell', `${entry} ${word}`);
  plugin();
  const screen = makeTerminals(panes, 'outer').open('screen', {
    columns: 110,
    rows: 30,
    command: `exec tmux -S ${person.socket} attach -t work`,
  });
  await until('the person is attached', () => person.tmux('list-clients') !== '');
  const isGone = (text: string) => until(`${text} is gone`, () => !screen.screen().includes(text));
  return { ...person, plugin, screen, isGone, status: () => person.tmux('show-option', '-gqv', '@devflow_status') };
}

test('each key says that no daemon runs; the status line shows a daemon, and nothing after kill -9', async () => {
  const panes = await makePanes('busy-ms=50');
  const { daemon } = panes;
  const { screen, isGone, status, plugin, tmux } = await givenPerson(panes);
  screen.keys('C-a', 'J');
  await screen.shows(/^devflow: devflow is not running|^devflow: not running/m);
  await isGone('not running');
  screen.keys('C-a', 'A');
  await screen.shows(/^devflow: not running/m);
  await isGone('not running');
  screen.keys('C-a', 'F');
  await screen.shows('┌');
  await screen.shows(/start/i);
  screen.keys('q');
  await isGone('┌');

  await daemon.start();
  const { runId } = await givenRunAtGate(panes, 'one');
  await screen.shows('[?1 Greet by name]');
  await daemon.kill('SIGKILL');
  await screen.shows('[]');
  await daemon.start();
  await screen.shows('[?1 Greet by name]');
  await daemon.stop();
  await screen.shows('[]');
  expect(status()).toBe('');
  await daemon.start();
  await screen.shows('[?1 Greet by name]');
  await daemon.call('run.abort', { runId });
  await until('there is nothing to say', () => status() === '');
  plugin('unload');
  expect(tmux('show-options', '-g')).not.toMatch(/^@devflow_/m);
  expect(readdirSync(join(daemon.env.DEVFLOW_HOME ?? '', 'state', 'tmux-servers'))).toEqual([]);
});

test("jumps between agents of devflow's own server in a popup, and B leaves it", async () => {
  const panes = await makePanes('busy-ms=50');
  await panes.daemon.start();
  const [one, two] = [await givenRunAtGate(panes, 'the first agent'), await givenRunAtGate(panes, 'the second agent')];
  const { screen, isGone, plugin, tmux } = await givenPerson(panes);
  tmux('set-option', '-g', '@devflow-key-jump', 'C-n');
  plugin();
  screen.type('echo as it was');
  screen.keys('C-a', 'C-n');
  await screen.shows('the first agent');
  screen.keys('C-a', 'C-n');
  await screen.shows('the second agent');
  screen.keys('C-a', 'C-n');
  await screen.shows('the first agent');
  // The dashboard opens over it, and leaves it as it was.
  screen.keys('C-a', 'G');
  await screen.shows(new RegExp(`${one.runId.slice(0, 8)}|${two.runId.slice(0, 8)}`));
  screen.keys('q');
  await screen.shows('the first agent');
  screen.keys('C-a', 'B');
  await isGone('the first agent');
  await screen.shows('echo as it was');
  screen.keys('C-a', 'B');
  await screen.shows(/^devflow: there is no place to go back to/m);
});

test("J switches the terminal between agents on the person's server, and B switches back", async () => {
  const panes = await makePanes('busy-ms=50');
  const { daemon } = panes;
  const person = await givenPerson(panes);
  const { screen, tmux } = person;
  await daemon.start({ DEVFLOW_TMUX_SERVER: 'user', DEVFLOW_TMUX_SOCKET_PATH: person.socket });
  const there = { ...panes, tmux };
  const one = await givenRunAtGate(there, 'the first agent');
  const two = await givenRunAtGate(there, 'the second agent');
  tmux('new-window', '-t', 'work:', '-n', 'mine', 'exec sh');
  const clients = () =>
    tmux('list-clients', '-F', '#{client_control_mode} #{client_session}:#{window_name}')
      .split('\n')
      .filter((line) => line.startsWith('0'));
  const shows = (place: string) =>
    until(`the terminal shows ${place}`, () => clients().join().startsWith(`0 ${place}`));
  await shows('work:mine');
  screen.keys('C-a', 'J');
  await shows(one.session);
  screen.keys('C-a', 'J');
  await shows(two.session);
  screen.keys('C-a', 'B');
  await shows('work:mine');
  // From the dashboard too, which then covers nothing.
  screen.keys('C-a', 'G');
  await screen.shows(/planner +[0-9a-f]{8}/);
  screen.keys('A');
  await until('an agent is shown', () => clients().join().startsWith('0 devflow-'));
  await screen.shows(/the (first|second) agent/);
  screen.keys('C-a', 'B');
  await shows('work:mine');
});
