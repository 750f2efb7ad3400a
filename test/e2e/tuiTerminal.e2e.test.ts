import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { processesOf } from '../helpers/leaks.ts';
import { seatRobot } from '../helpers/robot.ts';
import { type Desk, deskFor } from './dashboard.ts';

/** A daemon with a run at its first gate. */
async function givenRun(): Promise<{ daemon: TestDaemon; desk: Desk }> {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  return { daemon, desk: deskFor(daemon) };
}

test('a terminal that is too small names the size it needs; a larger one shows all again; a click opens', async () => {
  const { desk } = await givenRun();
  const robot = seatRobot(desk, 'person', { columns: 59, rows: 14, command: `exec ${desk.devflow} tui` });
  await robot.sees('devflow needs 60x15 cells; this is 59x14');
  robot.resize(60, 15);
  await robot.sees('? decision');
  robot.resize(80, 24);
  await robot.sees('waiting for');
  robot.resize(200, 60);
  await robot.until('the footer is at the bottom', () => robot.screen()[59]?.includes('? help') === true);
  robot.resize(59, 14);
  await robot.sees('this is 59x14');
  robot.resize(80, 24);
  await robot.sees('? decision');
  const row = robot.screen().findIndex((each) => each.includes('? decision'));
  // A busy dashboard gets a click and the next key in one read.
  robot.type(`\u001b[<0;5;${row + 1}M\u001b[<0;5;${row + 1}m\r`);
  await robot.sees('[Overview]');
  // The header names only the tab of the present screen in full.
  const tab = robot.screen()[0]?.indexOf(' 2 app ') ?? -1;
  robot.click(0, tab + 1);
  await robot.sees(' 2 approvals ');
});

test.each([['dumb'], ['unknown'], ['']])('TERM=%j gets a sentence without escapes', async (term) => {
  const { desk } = await givenRun();
  const robot = seatRobot(desk, 'person');
  await robot.sees('$');
  robot.type(`TERM=${term} ${desk.devflow} tui; echo "exit $?"`);
  robot.press('Enter');
  await robot.sees('exit 2');
  const text = robot.screen().join('');
  expect(text).toContain('the dashboard cannot run on a terminal of type');
  expect(text).toContain('xterm-256color');
  expect(robot.ask('#{alternate_on}')).toBe('0');
});

test('paints on an unknown TERM; locale C gets ASCII only, and NO_COLOR no colour', async () => {
  const { desk } = await givenRun();
  const odd = seatRobot(desk, 'odd', { command: `TERM=wy370-nk exec ${desk.devflow} tui` });
  await odd.sees('? decision');
  const plain = seatRobot(desk, 'plain', { command: `LC_ALL=C NO_COLOR=1 exec ${desk.devflow} tui` });
  await plain.sees('? decision');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are no others is the point
  expect(plain.screen().join('')).toMatch(/^[\x00-\x7f]*$/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are told by escapes
  expect(plain.painted()).not.toMatch(/\u001b\[[\d;]*\b(3[0-7]|4[0-7]|[34]8;5)/);
  const coloured = seatRobot(desk, 'coloured', { command: `exec ${desk.devflow} tui` });
  await coloured.sees('▌? decision');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are told by escapes
  expect(coloured.painted()).toMatch(/\u001b\[[\d;]*[34]8;5/);
});

test('a terminal that reports its background gets fitting colours, and its reply types nothing', async () => {
  const { desk } = await givenRun();
  const on = async (name: string, background: string | undefined, selected: RegExp, env = '') => {
    const robot = seatRobot(desk, name, { background, command: `${env} exec ${desk.devflow} tui` });
    await robot.sees('▌? decision');
    await robot.until('the selected row has its ground', () => selected.test(robot.painted()));
    robot.press('/');
    await robot.sees('/');
    expect(robot.screen().join('\n')).not.toMatch(/rgb|11;|ffff/);
    return robot;
  };
  const [light, dark, either] = [/48;5;195m/, /48;5;236m/, /48;5;25m/];
  await on('white', '#ffffff', light);
  await on('black', '#000000', dark);
  await on('told', undefined, light, 'COLORFGBG="0;15"');
  await on('set', '#ffffff', dark, 'DEVFLOW_TUI_THEME=dark');
  // tmux reports no background that is not set.
  await on('silent', undefined, either);
  // For a wrong setting the dashboard names what is allowed.
  const wrong = seatRobot(desk, 'wrong', { columns: 200 });
  wrong.type(`DEVFLOW_TUI_THEME=pink ${desk.devflow} tui; echo "exit $?"`);
  wrong.press('Enter');
  await wrong.sees('exit 2');
  expect(wrong.screen().join(' ')).toContain('one of auto, dark, light');
});

test('a late reply of the terminal is no key; devflow asks again after a shell', async () => {
  const { desk } = await givenRun();
  const robot = seatRobot(desk, 'person', { command: `SHELL=/bin/true exec ${desk.devflow} tui` });
  await robot.sees('▌? decision');
  const painted = (ground: RegExp) => robot.until('the row has its ground', () => ground.test(robot.painted()));
  const [light, dark] = [/48;5;195m/, /48;5;236m/];
  const answer = (color: string) => `\u001b]11;rgb:${color}\u001b\\`;
  robot.type(`/deve${answer('ffff/ffff/ffff')}lop`);
  await robot.sees('/develop');
  await painted(light);
  robot.type(`${answer('0000/0000/0000')}ment`);
  await robot.sees('/development');
  await painted(dark);
  expect(robot.screen().join('\n')).not.toMatch(/rgb|11;|ffff|0000\/|Paste/);
  robot.press('Enter');
  robot.press('Enter');
  await robot.sees('[Overview]');
  // The theme changed while the shell was open.
  robot.background('#ffffff');
  robot.press('!');
  await robot.until('the bar has its ground', () => /48;5;255m/.test(robot.painted()));
  await robot.sees('[Overview]');
});

test.each([
  ['q', 'exit 0'],
  ['SIGTERM', 'exit 0'],
  ['SIGINT', 'exit 0'],
  ['an exception', 'exit 1'],
])('after %s the terminal is as it was: its modes, its screen, its cursor', async (end, said) => {
  const { daemon, desk } = await givenRun();
  const thrower = join(desk.directory, 'thrower.cjs');
  writeFileSync(thrower, "process.on('SIGUSR2', () => { throw new Error('thrown by the test'); });\n");
  const modes = '#{alternate_on} #{cursor_flag} #{wrap_flag} #{mouse_any_flag} #{mouse_sgr_flag} #{keypad_flag}';
  const robot = seatRobot(desk, 'person');
  await robot.sees('$');
  robot.type('echo as it was');
  robot.press('Enter');
  await robot.sees(/^as it was$/m);
  const before = robot.ask(modes);
  const [one, two] = ['before', 'after'].map((name) => join(desk.directory, name)) as [string, string];
  robot.type(
    `stty -a >${one}; NODE_OPTIONS='--require ${thrower}' ${desk.devflow} tui; echo "exit $?"; stty -a >${two}; echo "do""ne"`,
  );
  robot.press('Enter');
  await robot.sees('? decision');
  expect(robot.ask('#{alternate_on} #{cursor_flag}')).toBe('1 0');
  const [{ pid = 0 } = {}] = processesOf(daemon.root).filter(({ command }) => / tui$/.test(command));
  expect(pid).toBeGreaterThan(0);
  if (end === 'q') robot.press('q');
  else process.kill(pid, end === 'an exception' ? 'SIGUSR2' : (end as NodeJS.Signals));
  await robot.sees('done');
  expect(robot.screen().join('\n')).toContain(said);
  expect(robot.screen().join('\n')).toMatch(/^as it was$/m);
  if (end === 'an exception') expect(robot.screen().join('\n')).toContain('thrown by the test');
  expect(robot.ask(modes)).toBe(before);
  expect(readFileSync(two, 'utf8')).toBe(readFileSync(one, 'utf8'));
  // The terminal echoes again.
  robot.type('echo typed and seen');
  await robot.sees('$ echo typed and seen');
});
