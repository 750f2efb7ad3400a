import { expect, it } from 'vitest';
import { shellQuote } from '../../../tmux/command/command.ts';
import type { PaneId, SessionId } from '../../../tmux/command/ids.ts';
import type { Runner } from '../../../tmux/command/runner.ts';
import { killPane, readPane } from '../../../tmux/panes/panes.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import { sendSigchld } from '../../../tmux/process/watchPane.ts';
import { fitWindowsLines } from '../../../tmux/server/fitWindows.ts';
import type { Server } from '../../../tmux/server/server.ts';
import { readIdentity } from '../../../tmux/server/startServer.ts';
import { killSession, resizeWindow } from '../../helpers/tmuxActs.ts';
import { isUp, useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();
const MARK = '@fitted';
const marks = { [MARK]: 'yes' } as const;

/** A server that fits its windows, with a driver's connection, which must not count. */
async function givenServer(): Promise<{ agents: Server; driver: Runner }> {
  const size = { unattached: { columns: 160, rows: 45 }, least: { columns: 60, rows: 14 } };
  const agents = tmux().another('own', fitWindowsLines({ mark: MARK, ...size }));
  return { agents, driver: await tmux().driver({ server: agents }) };
}

/** A terminal of that size that shows the session: a pane of another server. `close` ends it as a closed terminal does. */
async function openTerminal(agents: Server, session: SessionId, columns: number, rows: number, readOnly = false) {
  const attach = attachArgv(agents, session, { readOnly }).map(shellQuote).join(' ');
  const size = { columns, rows };
  const screen = await tmux().pane(await tmux().driver(), `unset TMUX; exec ${attach}`, { size });
  return {
    resize: async (to: { columns: number; rows: number }) =>
      resizeWindow(await tmux().driver(), screen.window, to.columns, to.rows),
    close: async () => killSession(await tmux().driver(), screen.session),
  };
}

/** tmux uses one row of a terminal for its status line. */
async function hasSize(driver: Runner, pane: PaneId, size: string): Promise<void> {
  await until(`the window has ${size} cells`, async () => {
    const { columns, rows } = (await readPane(driver, pane)) ?? {};
    return `${columns}x${rows}` === size;
  });
}

it('gives a window the size of the terminal that shows it, and its own size again after', async () => {
  const { agents, driver } = await givenServer();
  const { pane, session } = await tmux().pane(driver, 'exec sleep 1000', { marks });
  const other = await tmux().pane(driver, 'exec sleep 1000', { marks });
  const unmarked = await tmux().pane(driver, 'exec sleep 1000', { size: { columns: 90, rows: 20 } });
  const terminal = await openTerminal(agents, session, 80, 24);
  await hasSize(driver, pane, '80x23');
  await terminal.resize({ columns: 200, rows: 50 });
  await hasSize(driver, pane, '200x49');
  await terminal.resize({ columns: 60, rows: 15 });
  await hasSize(driver, pane, '60x14');
  await terminal.close();
  await hasSize(driver, pane, '160x45');
  await hasSize(driver, other.pane, '160x45');
  await hasSize(driver, unmarked.pane, '90x20');
});

it('fits to the smallest of several terminals, of which one may only look', async () => {
  const { agents, driver } = await givenServer();
  const { pane, session } = await tmux().pane(driver, 'exec sleep 1000', { marks });
  const large = await openTerminal(agents, session, 120, 30);
  await hasSize(driver, pane, '120x29');
  const small = await openTerminal(agents, session, 100, 40, true);
  await hasSize(driver, pane, '100x29');
  await large.close();
  await hasSize(driver, pane, '100x39');
  await small.close();
  await hasSize(driver, pane, '160x45');
});

it('waits in no hook, because tmux drops what happens just after', () => {
  const size = { columns: 160, rows: 45 };
  const hooks = fitWindowsLines({ mark: MARK, unattached: size, least: size }).filter((line) => /^set-hook/.test(line));
  expect(hooks.length).toBeGreaterThan(0);
  for (const hook of hooks) expect(hook.match(/run-shell(?! -b)/)).toBeNull();
});

it('never makes a window smaller than the least size', async () => {
  const { agents, driver } = await givenServer();
  const { pane, session } = await tmux().pane(driver, 'exec sleep 1000', { marks });
  const terminal = await openTerminal(agents, session, 40, 10);
  await hasSize(driver, pane, '60x14');
  await terminal.resize({ columns: 100, rows: 10 });
  await hasSize(driver, pane, '100x14');
});

it('follows a terminal from window to window', async () => {
  const { agents, driver } = await givenServer();
  const first = await tmux().pane(driver, 'exec sleep 1000', { marks });
  const second = await tmux().pane(driver, 'exec sleep 1000', { marks, place: { session: first.session } });
  const elsewhere = await tmux().pane(driver, 'exec sleep 1000', { marks });
  await openTerminal(agents, first.session, 80, 24);
  await hasSize(driver, first.pane, '80x23');
  await driver.run([['select-window', '-t', second.window]]);
  await hasSize(driver, second.pane, '80x23');
  await hasSize(driver, first.pane, '160x45');
  // A program that starts again has a new window in the same session.
  await killPane(driver, second.pane);
  await hasSize(driver, first.pane, '80x23');
  const list = await driver.run([['list-clients', '-F', '#{client_control_mode} #{client_name}']]);
  const [name] = list.flatMap((line) => /^0 (.*)/.exec(line)?.[1] ?? []);
  await driver.run([['switch-client', '-c', name as string, '-t', elsewhere.session]]);
  await hasSize(driver, elsewhere.pane, '80x23');
  await hasSize(driver, first.pane, '160x45');
});

it('leaves a server alive that shows a dead program, which had asked for focus events', async () => {
  const { agents, driver } = await givenServer();
  const { pane, session } = await tmux().pane(driver, "printf '\\033[?1004h'; exit 0", { marks });
  const { pid } = await readIdentity(driver);
  await until('it is dead', async () => sendSigchld(pid) && (await readPane(driver, pane))?.dead);
  const terminal = await openTerminal(agents, session, 80, 24);
  await hasSize(driver, pane, '80x23');
  await terminal.close();
  await hasSize(driver, pane, '160x45');
  expect(await isUp(agents)).toBe(true);
});

it('writes nothing into a window and shows no message', async () => {
  const { agents, driver } = await givenServer();
  const { pane, session } = await tmux().pane(driver, 'exec sleep 1000', { marks });
  const terminal = await openTerminal(agents, session, 80, 24);
  await hasSize(driver, pane, '80x23');
  expect(await readPane(driver, pane)).toMatchObject({ inMode: false });
  expect(await driver.run([['capture-pane', '-p', '-t', pane]])).toEqual(Array(23).fill(''));
  await terminal.close();
  await hasSize(driver, pane, '160x45');
  expect(await readPane(driver, pane)).toMatchObject({ inMode: false });
});
