import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellQuote } from '../../../tmux/command/command.ts';
import { readPaneOption } from '../../../tmux/panes/options.ts';
import { killPane, listPanes, readPane } from '../../../tmux/panes/panes.ts';
import { repipe, splitSink } from '../../../tmux/panes/pipe.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import { sendSigchld } from '../../../tmux/process/watchPane.ts';
import { HOOK_FILE, LAST_OUTPUT, RUN_FILE, STATUS_FILE } from '../../../tmux/process/wrapper.ts';
import { spawnRunner } from '../../../tmux/server/spawnRunner.ts';
import { readIdentity } from '../../../tmux/server/startServer.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

function read(directory: string, name: string): string | undefined {
  return readdirSync(directory).includes(name) ? readFileSync(join(directory, name), 'utf8') : undefined;
}

/** All a pane printed, from all parts of all sinks. */
function output(directory: string): string {
  const parts = readdirSync(directory).filter((name) => /\.\d{6}$/.test(name));
  return parts
    .sort()
    .map((name) => read(directory, name))
    .join('');
}

it('gives a program its argv and environment unchanged, without a shell or command line', async () => {
  const driver = await tmux().driver();
  const argv = [';', '', "'", '"', '$PATH', '~', '*', 'a\nb', '-x', '#{pid}', '%H', 'é', '\\'];
  const script = 'printf "<%s>" "$@" "$KEY" "$HOME"; printf "<%s>" "$TERM"';
  const { directory } = await tmux().pane(driver, '', {
    program: { argv: ['/bin/sh', '-c', script, 'sh', ...argv], env: { KEY: "a'b\nc" }, unsetEnv: ['GONE', 'HOME'] },
  });
  expect(await until('it ended', () => read(directory, STATUS_FILE))).toBe('0\n');
  const expected = [...argv, "a'b\nc", ''].map((word) => `<${word}>`).join('');
  await until('all is written', () => output(directory).includes('<screen') || output(directory).includes('<tmux'));
  expect(output(directory).replaceAll('\r\n', '\n')).toContain(expected);
});

it('captures the output from the first byte to the last', async () => {
  const driver = await tmux().driver();
  const panes = [];
  for (let n = 0; n < 20; n++)
    panes.push(await tmux().pane(driver, 'i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done'));
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i}\r\n`).join('');
  const whole = `${lines}${LAST_OUTPUT}`;
  for (const { directory } of panes) {
    await until('the sink wrote the last byte', () => output(directory).length >= whole.length);
    expect(output(directory)).toBe(whole);
  }
});

it('adopts by the session name what is started twice', async () => {
  const driver = await tmux().driver();
  const place = { newSession: 'agent-1' };
  await tmux().pane(driver, 'exec sleep 1000', { place });
  await expect(tmux().pane(driver, 'exec sleep 1000', { place })).rejects.toMatchObject({ code: 'duplicate_session' });
  expect((await listPanes(driver)).filter((pane) => pane.sessionName === 'agent-1')).toHaveLength(1);
});

it('prepares the second window, even if a window between is missing', async () => {
  const driver = await tmux().driver();
  const first = await tmux().pane(driver, 'exec sleep 1000');
  const place = { session: first.session };
  const second = await tmux().pane(driver, 'exec sleep 1000', { place, marks: { '@mark': 'second' } });
  const third = await tmux().pane(driver, 'exec sleep 1000', { place, marks: { '@mark': 'third' } });
  await killPane(driver, second.pane);
  const fourth = await tmux().pane(tmux().spawned, 'exec sleep 1000', {
    place,
    marks: { '@mark': 'a;' },
    size: { columns: 90, rows: 20 },
  });
  expect(await readPaneOption(driver, fourth.pane, '@mark')).toBe('a;');
  expect(await readPaneOption(driver, third.pane, '@mark')).toBe('third');
  expect(await readPane(driver, fourth.pane)).toMatchObject({ columns: 90, rows: 20, piped: true });
});

it('refuses a missing directory, for which tmux would use another', async () => {
  const driver = await tmux().driver();
  await expect(tmux().pane(driver, 'true', { cwd: '/no/such' })).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await listPanes(driver)).toHaveLength(1);
});

it('keeps private files in a directory of any name', async () => {
  const driver = await tmux().driver();
  const parent = join(tmux().home, `o'd #{pid} #[x] ##[y] %H "d;" $x`);
  mkdirSync(parent);
  const { directory } = await tmux().pane(driver, 'echo out; exit 3', {
    directory: join(parent, 'p'),
    sink: splitSink(join(parent, 'p'), 'out'),
  });
  expect(await until('it ended', () => read(directory, STATUS_FILE))).toBe('3\n');
  const { pid } = await readIdentity(driver);
  const hook = await until('tmux saw it end', () => sendSigchld(pid) && read(directory, HOOK_FILE));
  expect(hook).toBe('3 \n');
  await until('it is written', () => output(directory) === `out\r\n${LAST_OUTPUT}`);
  expect(read(directory, RUN_FILE)).toContain('exit 3');
});

it('passes Ctrl-C to the program and still records how it ended', async () => {
  const driver = await tmux().driver();
  const { pane, directory } = await tmux().pane(driver, 'echo ready; exec sleep 1000');
  await until('it runs', () => output(directory).includes('ready'));
  await driver.run([['send-keys', '-t', pane, 'C-c']]);
  expect(await until('it ended', () => read(directory, STATUS_FILE))).toBe('130\n');
  const { pid } = await readIdentity(driver);
  const seen = async () => sendSigchld(pid) && (await readPane(driver, pane))?.deadStatus;
  expect(await until('tmux saw it', seen)).toBe(130);
});

it('leaves later sizes to a server whose windows follow their clients', async () => {
  const driver = await tmux().driver();
  const agents = tmux().another('own');
  const agent = await tmux().pane(await tmux().driver({ server: agents }), 'exec sleep 1000', { followsClients: true });
  const size = async () => {
    const { columns, rows } = (await readPane(spawnRunner(agents), agent.pane)) ?? {};
    return `${columns}x${rows}`;
  };
  expect(await size()).toBe('160x45');
  const words = attachArgv(agents, agent.session).map(shellQuote).join(' ');
  await tmux().pane(driver, `unset TMUX; exec ${words}`, { size: { columns: 80, rows: 24 } });
  await until('the window has the size of its client', async () => (await size()) === '80x23');
});

it('replaces a sink that died', async () => {
  const driver = await tmux().driver();
  const { pane, directory } = await tmux().pane(driver, 'while read x; do echo got $x; done', { sink: 'exit 0' });
  // tmux finds out when it has something for it.
  await until('the sink is gone', async () => {
    await driver.run([['send-keys', '-t', pane, 'x', 'Enter']]);
    return !(await readPane(driver, pane))?.piped;
  });
  await repipe(driver, pane, splitSink(directory, 'second'));
  await driver.run([['send-keys', '-t', pane, 'again', 'Enter']]);
  await until('it is written', () => output(directory).includes('got again'));
  expect((await readPane(driver, pane))?.piped).toBe(true);
});
