import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { shellQuote } from '../../tmux/command/command.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, type Panes, ROLES } from '../helpers/paneDaemon.ts';
import { makeRepo } from '../helpers/testRepo.ts';
import { until } from '../helpers/until.ts';
import { devflowScript, makeTerminals } from './terminals.ts';

/** A name that no shell, title or format may expand. */
const HOSTILE = '#[fg=red]#{pid} #S';

/** A run at its first gate, its planner idle in a pane. */
async function givenRun({ daemon }: Panes, repo: string) {
  const runId = await startRun(daemon, { repo, backend: ROLES });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const { tmux: pane } = await daemon.call('session.attachTarget', { target: `${runId}/planner` });
  return { runId, pane: pane.paneId };
}

/**
 * A person's tmux with the plugin and the prefixes C-a and C-q, started inside another tmux. Its popups and keys find a
 * `TMUX_PANE` in their environment that is no pane of this server.
 */
async function givenPerson(panes: Panes) {
  const person = makeTerminals(panes, `tmux-${process.getuid?.() ?? 0}/default`);
  person.tmux('new-session', '-d', '-s', 'work', '-x', '120', '-y', '29', 'exec sh');
  person.tmux('set-environment', '-g', 'TMUX_PANE', '%0');
  person.tmux('set-option', '-g', 'prefix', 'C-a', ';', 'set-option', '-g', 'prefix2', 'C-q');
  person.tmux('set-option', '-g', 'assume-paste-time', '0');
  person.tmux('run-shell', shellQuote(join(inject('built'), 'devflow.tmux')));
  const screen = makeTerminals(panes, 'outer').open('screen', {
    columns: 120,
    rows: 30,
    command: `exec tmux -S ${person.socket} attach -t work`,
  });
  await until('the person is attached', () => person.tmux('list-clients') !== '');
  const client = person.tmux('list-clients', '-F', '#{client_name}');
  return {
    ...person,
    client,
    screen,
    isGone: (what: string) => until(`${what} is gone`, () => !screen.screen().includes(what)),
  };
}

test("the person's prefix leaves a pane however it was entered, and types nothing", async () => {
  const panes = await makePanes('busy-ms=50');
  const { daemon, tmux } = panes;
  await daemon.start();
  const repo = makeRepo(join(daemon.root, HOSTILE), daemon.env);
  const { runId, pane } = await givenRun(panes, repo.dir);
  const { screen, isGone, client, socket, tmux: theirs } = await givenPerson(panes);
  const devflow = devflowScript(panes);
  const welcome = 'd leaves';
  const prefixes = () => tmux('display-message', '-p', '#{prefix} #{prefix2}');
  /** As on a server that no client has attached to yet. */
  const forgetKeys = () => tmux('set-option', '-g', 'prefix', 'C-b', ';', 'set-option', '-g', 'prefix2', 'None');
  const leave = async (prefix: string) => {
    await screen.shows(welcome);
    expect(prefixes()).toBe('C-a C-q');
    screen.keys(prefix, 'd');
    await isGone(welcome);
    expect(tmux('capture-pane', '-p', '-t', pane)).not.toMatch(/^❯.*d$/m);
    forgetKeys();
  };

  // From each screen of the dashboard, which stays open below.
  screen.keys('C-a', 'G');
  await screen.shows(/planner +claude/);
  screen.keys('A');
  await screen.shows(/\[_fg_red_pid_S-planner-[0-9a-f]{8}\]/);
  await leave('C-a');
  await screen.shows(/planner +claude/);
  screen.keys('q');
  await isGone('┌');
  screen.keys('C-a', 'A');
  await screen.shows('spec_approved');
  screen.keys('1', 'Enter');
  await screen.shows('Phases');
  screen.keys('A');
  await leave('C-q');
  await screen.shows('Phases');
  screen.keys('q');
  await isGone('┌');

  // The key that jumps.
  screen.keys('C-a', 'J');
  // The frame would keep a name when the key shows another agent. The line inside has it, with nothing of it expanded.
  await screen.shows('─ devflow agents ─');
  await screen.shows(/\[_fg_red_pid_S-planner-[0-9a-f]{8}\]/);
  await leave('C-a');

  // Typed in a pane, and in a popup of the person's own.
  screen.type(`${devflow} attach ${runId}/planner; echo "exit $?"`);
  screen.keys('Enter');
  await leave('C-q');
  await screen.shows(/^exit 0$/m);
  theirs('bind-key', 'P', 'display-popup', '-E', `${devflow} attach ${runId}/planner`);
  screen.keys('C-a', 'P');
  await leave('C-a');
  await isGone('┌');

  // From outside of tmux, where a tmux of the person's runs.
  const outside = makeTerminals(panes, 'plain').open('plain');
  outside.type(`${devflow} attach; echo "exit $?"`);
  outside.keys('Enter');
  await outside.shows(welcome);
  outside.keys('C-a', 'd');
  await outside.shows(/^exit 0$/m);

  // A covered terminal shows nothing, and tmux reports nothing.
  screen.keys('C-a', 'F');
  await screen.shows('┌');
  daemon.env.TMUX = `${socket},1,0`;
  const { code, stderr } = await daemon.cli(['attach', `${runId}/planner`, '--client', client]);
  expect(`${code} ${stderr}`).toMatch(
    /^5 devflow: the pane of planner could not be shown: .* covers .*\[state_conflict\]\. Close/,
  );
  delete daemon.env.TMUX;
  screen.keys('q');
  await isGone('┌');

  // A key typed into the composer by mistake holds up the next prompt. The message says where, and what to do.
  tmux('send-keys', '-t', pane, '-l', 'd');
  const [gate] = await daemon.call('approval.list', { runId });
  await daemon.cli(['approval', 'approve', gate?.id ?? '']);
  const sessionId = (await daemon.call('session.list', { runId })).find(
    ({ roleId }) => roleId === 'planner',
  )?.sessionId;
  const short = sessionId?.slice(0, 8);
  const todo = new RegExp(
    `planner \\(claude\\) has an unsent draft: .*send the draft or delete it in its pane: devflow attach ${short}`,
  );
  const said = async (...words: string[]) => (await daemon.cli(words)).stdout;
  await until('the run waits for the person', async () => todo.test(await said('run', 'show', runId)));
  expect(await said('why', short ?? '')).toMatch(todo);
  expect(await said('session', 'list')).toMatch(/has an unsent draft: send the draft or delete it$/m);
  const isAsked = async () =>
    (await daemon.call('approval.list', { runId })).some((each) => each.gateKey === 'plan_approved');
  screen.keys('C-a', 'A');
  await screen.shows('planner has an unsent draft');
  screen.keys('Enter');
  await screen.shows('send the draft or delete it');
  screen.keys('A');
  await screen.shows('C-a d leaves');
  screen.keys('BSpace');
  await until('the run goes on', isAsked);
  screen.keys('C-a', 'd');
  await isGone('C-a d leaves');
});
