import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listClients, switchClient } from '../../../tmux/clients/clients.ts';
import { closePopup, displayPopup } from '../../../tmux/clients/popup.ts';
import { shellQuote } from '../../../tmux/command/command.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

it('runs an argv in a directory of any name, and returns its exit status and standard error', async () => {
  const driver = await tmux().driver();
  const client = (await listClients(driver))[0]?.name as string;
  const cwd = join(tmux().home, 'a #{pid} %H b');
  mkdirSync(cwd);
  const size = { width: '90%', height: 10 } as const;
  const argv = [
    '/bin/sh',
    '-c',
    'printf "%s|" "$PWD" "$1" >../out; echo why >&2; exit 5',
    'sh',
    "it's; #{pid}",
  ] as const;
  const popup = { client, ...size, cwd, title: '#[fg=red]#{pid}', argv };
  expect(await displayPopup(tmux().server, popup)).toEqual({ status: 5, stderr: 'why' });
  expect(readFileSync(join(tmux().home, 'out'), 'utf8')).toBe(`${cwd}|it's; #{pid}|`);
});

it('refuses a covered client; a closed popup ends with a hang-up', async () => {
  const driver = await tmux().driver();
  const client = (await listClients(driver))[0]?.name as string;
  const shown = join(tmux().home, 'shown');
  const size = { width: 20, height: 5 } as const;
  const first = displayPopup(tmux().server, { client, ...size, argv: ['/bin/sh', '-c', `>${shown}; exec sleep 1000`] });
  await until('the first is shown', () => existsSync(shown));
  const second = displayPopup(tmux().server, { client, ...size, argv: ['true'] });
  await expect(second).rejects.toMatchObject({ code: 'popup_taken' });
  await closePopup(driver, client);
  expect(await first).toEqual({ status: 129, stderr: '' });
});

it('needs its client', async () => {
  await tmux().driver();
  const popup = { client: '/dev/none', width: 20, height: 5, argv: ['true'] as [string] };
  await expect(displayPopup(tmux().server, popup)).rejects.toMatchObject({ code: 'no_target' });
});

it('moves only the named client; a nested reader keeps the size', async () => {
  const driver = await tmux().driver();
  const [one, two] = [await tmux().pane(driver, 'exec sleep 1000'), await tmux().pane(driver, 'exec sleep 1000')];
  const outer = await tmux().driver({ server: tmux().another('own') });
  const attach = attachArgv(tmux().server, one.session, { readOnly: true }).map(shellQuote).join(' ');
  await tmux().pane(outer, `unset TMUX; exec ${attach}`, { size: { columns: 60, rows: 15 } });
  const terminal = await until('it is attached', async () => (await listClients(driver)).find((c) => !c.controlMode));
  expect(terminal).toMatchObject({ readOnly: true, session: one.session, columns: 60 });
  await switchClient(driver, terminal.name, two.session);
  const clients = await listClients(driver);
  expect(clients.find((c) => c.name === terminal.name)).toMatchObject({ session: two.session });
  expect(clients.find((c) => c.controlMode)).toMatchObject({ sessionName: '_control' });
  expect(await driver.run([['display-message', '-p', '-t', one.pane, '#{window_width}']])).toEqual(['160']);
  expect(existsSync(one.directory)).toBe(true);
});
