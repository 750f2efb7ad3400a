import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, type Panes, ROLES } from '../helpers/paneDaemon.ts';
import { until } from '../helpers/until.ts';
import { scenario } from './support.ts';
import { devflowScript, makeTerminals, terminalOf } from './terminals.ts';

/** A run at its first gate, its planner idle in a pane. */
async function givenRun(panes: Panes, ...lines: string[]) {
  const { daemon, tmux } = panes;
  const request = { repo: daemon.repo().dir, backend: ROLES, requirements: scenario(...lines) };
  const runId = await startRun(daemon, request);
  const isThere = lines.length > 0 ? 'session.busy' : 'approval.requested';
  await drive(daemon, runId, { stopAt: ({ type }) => type === isThere, decide: () => undefined });
  const { sessionId, tmux: pane } = await daemon.call('session.attachTarget', { target: `${runId}/planner` });
  const format = (text: string) => tmux('display-message', '-p', '-t', pane.paneId, text);
  return {
    runId,
    sessionId,
    target: `${runId}/planner`,
    pane,
    agent: terminalOf(tmux, pane.paneId),
    size: () => format('#{window_width}x#{window_height}'),
    session: format('#{session_name}'),
  };
}

async function givenPanes() {
  const panes = await makePanes('busy-ms=50');
  await panes.daemon.start();
  return { ...panes, devflow: devflowScript(panes) };
}

/** What each terminal on a server shows: its session's name. */
function shown(tmux: Panes['tmux']): Record<string, string> {
  const lines = tmux('list-clients', '-F', '#{client_control_mode} #{client_name} #{client_session}').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(' ')).flatMap(([c, ...rest]) => (c === '0' ? [rest] : [])));
}

test('outside tmux attaches to the agent that needs a person most, and gives the terminal back', async () => {
  const panes = await givenPanes();
  const { devflow, tmux } = panes;
  const busy = await givenRun(panes, 'spin');
  const waiting = await givenRun(panes);
  const terminal = makeTerminals(panes, 'outer').open('one', { columns: 80, rows: 24 });
  await terminal.shows(/^\$/m);
  terminal.type(`echo as it was; ${devflow} attach; echo "exit $?"`);
  terminal.keys('Enter');
  await until('it is attached', () => Object.values(shown(tmux)).includes(waiting.session));
  await terminal.shows('? for shortcuts');
  await until('the window fits the terminal', () => waiting.size() === '80x23');
  terminal.type('typed by a person');
  await waiting.agent.shows('typed by a person');
  expect(busy.agent.screen()).not.toContain('typed by a person');
  terminal.keys('C-b', 'd');
  await terminal.shows(/^exit 0$/m);
  expect(terminal.screen()).toMatch(/^as it was$/m);
  expect(terminal.screen()).not.toContain('typed by a person');
  await until('the window has its own size again', () => waiting.size() === '160x45');
  expect(shown(tmux)).toEqual({});
});

test('--read-only passes no keys on', async () => {
  const panes = await givenPanes();
  const { devflow, tmux } = panes;
  const { target, session, agent, size } = await givenRun(panes);
  const terminal = makeTerminals(panes, 'outer').open('one');
  terminal.type(`${devflow} attach ${target} --read-only; echo "exit $?"`);
  terminal.keys('Enter');
  await until('it is attached', () => Object.values(shown(tmux)).includes(session));
  await terminal.shows('? for shortcuts');
  // Typed together with text, the prefix could count as pasted.
  tmux('set-option', '-g', 'assume-paste-time', '0');
  terminal.type('typed in vain');
  terminal.keys('C-b', 'd');
  await terminal.shows(/^exit 0$/m);
  expect(agent.screen()).not.toContain('typed in vain');
  await until('the window has its own size again', () => size() === '160x45');
});

test("inside devflow's server switches the client that asks, from a pane and from a popup", async () => {
  const panes = await givenPanes();
  const { daemon, devflow, tmux, socketPath } = panes;
  const { target, session, size } = await givenRun(panes);
  const outer = makeTerminals(panes, 'outer');
  for (const name of ['left', 'right']) tmux('new-session', '-d', '-s', name, '-x', '80', '-y', '23', 'exec sh');
  const attach = (name: string) => ({ command: `exec tmux -S ${socketPath} attach -t ${name}`, columns: 80, rows: 24 });
  const left = outer.open('left', attach('left'));
  const right = outer.open('right', attach('right'));
  const twin = outer.open('twin', attach('right'));
  const tty = (name: string) => outer.tmux('display-message', '-p', '-t', `=${name}:`, '#{pane_tty}');
  const [leftTty, rightTty, twinTty] = ['left', 'right', 'twin'].map(tty) as [string, string, string];
  const all = { [leftTty]: 'left', [rightTty]: 'right', [twinTty]: 'right' };
  await until('all are attached', () => Object.keys(shown(tmux)).length === 3);
  expect(shown(tmux)).toEqual(all);

  // From a pane: only the client on that pane's session.
  left.type(`${devflow} attach ${target}`);
  left.keys('Enter');
  await until('left shows the agent', () => shown(tmux)[leftTty] === session);
  expect(shown(tmux)).toEqual({ ...all, [leftTty]: session });

  // Looking switches no client: a popup shows the agent and closes when it is left.
  right.type(`${devflow} attach ${target} --read-only --client ${rightTty}; echo "exit $?"`);
  right.keys('Enter');
  await right.shows('? for shortcuts');
  expect(right.screen()).toContain('─ devflow agents, read-only ─');
  expect(right.screen()).toMatch(/\[1-planner-[0-9a-f]{8}\]/);
  right.keys('C-b', 'd');
  await right.shows(/^exit 0$/m);
  expect(shown(tmux)).toEqual({ ...all, [leftTty]: session });

  // From a popup that a key opened: the key's client, of two on one session.
  const config = join(daemon.root, 'keys.conf');
  const popup = `display-popup -E -w 90% -h 90% -d '#{pane_current_path}' \\"${devflow} attach ${target} --client '#{client_name}'\\"`;
  writeFileSync(config, `bind-key P run-shell -C "${popup}"\n`);
  tmux('source-file', config);
  twin.keys('C-b', 'P');
  await until('the twin shows the agent', () => shown(tmux)[twinTty] === session);
  expect(shown(tmux)).toEqual({ [leftTty]: session, [rightTty]: 'right', [twinTty]: session });
  await until('the window fits the terminals', () => size() === '80x23');
});

test('inside another server shows the agent nested in a popup, which its window fits', async () => {
  const panes = await givenPanes();
  const { daemon, devflow, tmux } = panes;
  const { target, session, agent, size } = await givenRun(panes);
  const theirs = makeTerminals(panes, 'theirs');
  theirs.tmux('new-session', '-d', '-s', 'work', '-x', '80', '-y', '23', 'exec sh');
  const screen = makeTerminals(panes, 'outer').open('screen', {
    columns: 80,
    rows: 24,
    command: `exec tmux -S ${theirs.socket} attach -t work`,
  });
  await until('the person is attached', () => theirs.tmux('list-clients') !== '');
  const isShown = () => Object.values(shown(tmux)).includes(session);
  const isGone = () => Object.keys(shown(tmux)).length === 0;

  await screen.shows(/^\$/m);
  screen.type(`echo as it was; ${devflow} attach ${target}; echo "exit $?"`);
  screen.keys('Enter');
  await until('it is shown', isShown);
  await screen.shows('? for shortcuts');
  expect(screen.screen()).toContain('─ devflow agents ─');
  expect(screen.screen()).toMatch(/\[1-planner-[0-9a-f]{8}\]/);
  screen.type('typed in the popup');
  await agent.shows('typed in the popup');
  // 95% of 80x24, without the frame and the status line.
  await until('the window fits the popup', () => size() === '74x19');
  screen.keys('C-b', 'd');
  await screen.shows(/^exit 0$/m);
  expect(screen.screen()).toMatch(/^as it was$/m);
  expect(screen.screen()).not.toContain('typed in the popup');

  const config = join(daemon.root, 'keys.conf');
  const bind = (key: string, command: string) => `bind-key ${key} ${command}`;
  const attach = `${devflow} attach ${target} --client '#{client_name}'`;
  const lines = [
    bind('P', `run-shell -C "display-popup -E -w 90% -h 90% \\"${attach}\\""`),
    bind('K', `run-shell -b "${attach}"`),
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  theirs.tmux('source-file', config);
  for (const key of ['P', 'K']) {
    screen.keys('C-b', key);
    await until(`${key} shows it`, isShown);
    await screen.shows('? for shortcuts');
    screen.keys('C-b', 'd');
    await until(`${key} is left`, () => isGone() && !screen.screen().includes('┌'));
    await until('the window has its own size again', () => size() === '160x45');
  }
  expect(theirs.tmux('list-panes', '-a', '-F', '#{session_name}')).toBe('work');
});

test("says why an agent cannot be shown, with the error's code", async () => {
  const panes = await givenPanes();
  const { daemon, tmux } = panes;
  const { target, pane, runId } = await givenRun(panes);
  const attach = async (...args: string[]) => {
    const { code, stderr } = await daemon.cli(['attach', ...args]);
    return `${code} ${stderr.trim().split('\n').join(' / ')}`;
  };
  expect(await attach(target)).toMatch(/^2 devflow: to show a pane, attach needs a terminal \[usage\]\. .*--json/);
  expect(await attach('zzzz')).toMatch(/^4 devflow: no run or session begins with zzzz \[not_found\]\./);
  expect(await attach(`${runId}/nobody`)).toMatch(/^4 devflow: run \S+ has no session of nobody .* \[not_found\]\./);
  const stale = { ...daemon.env };
  daemon.env.TMUX = `${join(daemon.root, 'tmux', 'gone')},1,0`;
  expect(await attach(target)).toMatch(/^5 devflow: no terminal shows the tmux session .* \[state_conflict\]\./);
  delete daemon.env.TMUX;
  expect(daemon.env).toEqual(stale);
  tmux('kill-session', '-t', pane.session);
  expect(await attach(target)).toMatch(
    /^5 devflow: Session \S+ \(claude\) has no pane to attach to \[state_conflict\]\./,
  );
  await daemon.stop();
  expect(await attach(target)).toMatch(/^1 devflow: devflow is not running: .* \[daemon_not_running\]\. /);
});
