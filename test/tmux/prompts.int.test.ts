import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PaneId } from '../../tmux/command/ids.ts';
import type { Runner } from '../../tmux/command/runner.ts';
import type { TmuxDriver } from '../../tmux/driver.ts';
import { capturePane } from '../../tmux/panes/capture.ts';
import { sendKeys } from '../../tmux/panes/keys.ts';
import { readPane } from '../../tmux/panes/panes.ts';
import { pasteText, sendText } from '../helpers/tmuxActs.ts';
import { useTmuxServer } from '../helpers/tmuxServer.ts';
import { until } from '../helpers/until.ts';

const tmux = useTmuxServer();

/** A raw program with bracketed paste on that keeps all it reads in a file. */
async function reader(driver: TmuxDriver): Promise<{ pane: PaneId; received: () => string }> {
  const file = join(tmux().home, 'received');
  const { pane } = await tmux().pane(driver, `stty raw -echo; printf '\\033[?2004hready'; exec cat >'${file}'`);
  await until('it is ready', async () => (await capturePane(driver, pane))[0]?.includes('ready'));
  return { pane, received: () => readFileSync(file, 'utf8') };
}

it('pastes text whole, once and as one piece, before the Enter', async () => {
  const driver = await tmux().driver();
  const { pane, received } = await reader(driver);
  const text = `-x @a /b !c $(d) \`e\` ; #{pid}\n\ttab 漢字 👩‍💻\n${'long '.repeat(40_000)}`;
  await pasteText(driver, tmux().home, pane, text);
  await sendKeys(driver, pane, ['Enter']);
  const whole = `\x1b[200~${text}\x1b[201~\r`;
  await until('it arrived', () => received().length >= whole.length);
  expect(received()).toBe(whole);
  expect(await driver.run([['list-buffers']])).toEqual([]);
});

it('fails before it pastes if the server cannot read the text, and leaves nothing', async () => {
  const driver = await tmux().driver();
  const { pane, received } = await reader(driver);
  const removing: Runner = {
    ...driver,
    run(commands, options) {
      for (const name of readdirSync(tmux().home)) if (name.startsWith('devflow-')) rmSync(join(tmux().home, name));
      return driver.run(commands, options);
    },
  };
  await expect(pasteText(removing, tmux().home, pane, 'text')).rejects.toThrow(/unknown buffer/);
  expect(received()).toBe('');
  expect(await driver.run([['list-buffers']])).toEqual([]);
  expect(readdirSync(tmux().home).filter((name) => name.startsWith('devflow-'))).toEqual([]);
});

it('gives each of twenty panes its own text at once', async () => {
  const driver = await tmux().driver();
  const files = Array.from({ length: 20 }, (_, n) => join(tmux().home, `in-${n}`));
  const panes = [];
  for (const file of files) {
    const { pane } = await tmux().pane(driver, `stty raw -echo; printf ready; exec cat >'${file}'`);
    await until('it is ready', async () => (await capturePane(driver, pane))[0]?.includes('ready'));
    panes.push(pane);
  }
  await Promise.all(panes.map((pane, n) => pasteText(driver, tmux().home, pane, `for ${n}\n`.repeat(1000))));
  for (const [n, file] of files.entries()) {
    const whole = `for ${n}\n`.repeat(1000);
    await until('it arrived', () => readFileSync(file, 'utf8').length >= whole.length);
    expect(readFileSync(file, 'utf8')).toBe(whole);
  }
});

it('leaves copy mode before a paste and before keys', async () => {
  const driver = await tmux().driver();
  const { pane, received } = await reader(driver);
  await driver.run([['copy-mode', '-t', pane]]);
  await pasteText(driver, tmux().home, pane, 'a');
  await sendKeys(driver, pane, ['Enter']);
  await until('it arrived', () => received().endsWith('\r'));
  expect((await readPane(driver, pane))?.inMode).toBe(false);
  await driver.run([['copy-mode', '-t', pane]]);
  await sendKeys(driver, pane, ['Enter']);
  expect((await readPane(driver, pane))?.inMode).toBe(false);
  await sendKeys(driver, pane, ['Enter']);
  await until('both arrived', () => received().endsWith('\r\r\r'));
});

it('types text as it is, and keys by name', async () => {
  const driver = await tmux().driver();
  const { pane, received } = await reader(driver);
  await sendText(driver, pane, '-l Enter;');
  await sendText(driver, pane, ';');
  await sendKeys(driver, pane, ['C-c', 'Tab', 'Escape']);
  await until('it arrived', () => received().endsWith('\x1b'));
  expect(received()).toBe('-l Enter;;\x03\t\x1b');
});

it('reads a screen with its colours and history', async () => {
  const driver = await tmux().driver();
  const script = "seq 1 100; printf '\\033[2J\\033[Hab\\n  \\033[31mred\\033[0m %%end'; exec sleep 1000";
  const { pane } = await tmux().pane(driver, script);
  await until('it is drawn', async () => (await capturePane(driver, pane))[1]?.includes('end'));
  const lines = await capturePane(driver, pane);
  expect([lines[0], lines[1], lines.length]).toEqual(['ab', '  red %end', 45]);
  expect((await capturePane(driver, pane, { escapes: true }))[1]).toContain('\x1b[31mred');
  expect(await capturePane(driver, pane, { history: 1000 })).toContain('7');
  expect(await capturePane(tmux().spawned, pane)).toEqual(lines);
});
