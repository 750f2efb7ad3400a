import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listClients } from '../../tmux/clients/clients.ts';
import { listPaneOptions } from '../../tmux/panes/options.ts';
import { killPane, listPanes, readPane } from '../../tmux/panes/panes.ts';
import { attachArgv, listSessions } from '../../tmux/panes/sessions.ts';
import { killSession, resizeWindow, setPaneOption } from '../helpers/tmuxActs.ts';
import { useTmuxServer } from '../helpers/tmuxServer.ts';
import { until } from '../helpers/until.ts';

const tmux = useTmuxServer();

it('lists a pane as one row, even if its directory has odd characters', async () => {
  const driver = await tmux().driver();
  const cwd = join(tmux().home, 'a|b\\c\n%end 1 1 1\n#{pid} %H \'ü" $(x)');
  mkdirSync(cwd);
  const started = await tmux().pane(driver, 'exec sleep 1000', { cwd, windowName: '#S|%H \\' });
  // Until its shell runs, tmux names itself as the program.
  const isRunning = (p: { currentPath: string; currentCommand: string }) =>
    p.currentPath === cwd && p.currentCommand === 'sh';
  const pane = await until('it runs', async () =>
    (await listPanes(driver)).find((p) => p.pane === started.pane && isRunning(p)),
  );
  expect(pane).toMatchObject({
    window: started.window,
    session: started.session,
    pid: started.pid,
    columns: 160,
    rows: 45,
    dead: false,
    deadStatus: undefined,
    piped: true,
    inMode: false,
    alternateScreen: false,
  });
  expect(pane.windowName).toContain('#S|%H');
  expect(await readPane(tmux().spawned, started.pane)).toEqual(pane);
});

it('returns undefined for a missing pane, and cannot kill it', async () => {
  const driver = await tmux().driver();
  expect(await readPane(driver, '%99')).toBeUndefined();
  await expect(killPane(driver, '%99')).rejects.toMatchObject({ code: 'no_target' });
});

it('lists sessions and the size of their panes', async () => {
  const driver = await tmux().driver();
  const { session, window } = await tmux().pane(driver, 'exec sleep 1000', { place: { newSession: 'agent-10' } });
  const own = { id: session, name: 'agent-10', windows: 1, attached: 0 };
  expect(await listSessions(driver)).toContainEqual(expect.objectContaining(own));
  await resizeWindow(driver, window, 100, 30);
  expect((await listPanes(driver)).find((p) => p.window === window)).toMatchObject({ columns: 100, rows: 30 });
  await killSession(driver, session);
  expect((await listSessions(driver)).map(({ id }) => id)).not.toContain(session);
});

it('lists marks by pane', async () => {
  const driver = await tmux().driver();
  const [one, two] = [await tmux().pane(driver, 'exec sleep 1000'), await tmux().pane(driver, 'exec sleep 1000')];
  await setPaneOption(driver, two.pane, '@run', 'r|2');
  expect(await listPaneOptions(driver, '@run')).toEqual(new Map([[two.pane, 'r|2']]));
  expect(one.pane).not.toBe(two.pane);
  await expect(setPaneOption(driver, one.pane, 'remain-on-exit' as '@', 'off')).rejects.toMatchObject({
    code: 'bad_argument',
  });
});

it('lists the connection as the only client', async () => {
  const driver = await tmux().driver();
  expect(await listClients(driver)).toMatchObject([{ controlMode: true, readOnly: false, sessionName: '_control' }]);
});

it('returns an argv to attach', () => {
  const words = attachArgv(tmux().server, '$3', { readOnly: true });
  expect([words[0], ...words.slice(-5)]).toEqual(['tmux', 'attach-session', '-f', 'read-only', '-t', '$3']);
});
