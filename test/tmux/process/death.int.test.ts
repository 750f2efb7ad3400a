import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { PaneId } from '../../../tmux/command/ids.ts';
import { type PaneFlags, watchPaneFlags } from '../../../tmux/paneFlags.ts';
import { killPane, readPane } from '../../../tmux/panes/panes.ts';
import { startTimeOf } from '../../../tmux/process/processes.ts';
import { type DeathSign, sendSigchld, watchPane } from '../../../tmux/process/watchPane.ts';
import { readIdentity } from '../../../tmux/server/startServer.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

/** Signs as they come; closed by the caller. */
async function watching(directory: string) {
  const { pid } = await readIdentity(tmux().spawned);
  const signs: DeathSign[] = [];
  const watch = watchPane(directory, pid, (sign) => signs.push(sign));
  const by = (way: DeathSign['by']) => until(`a sign by ${way}`, () => signs.find((sign) => sign.by === way));
  return { signs, by, close: () => watch.close() };
}

it('reports an exit once from the wrapper, once from its end and once from tmux', async () => {
  const driver = await tmux().driver();
  const { directory, pane } = await tmux().pane(driver, 'read x; exit 7');
  const watch = await watching(directory);
  await driver.run([['send-keys', '-t', pane, 'Enter']]);
  expect(await watch.by('wrapper')).toEqual({ by: 'wrapper', status: 7 });
  expect(await watch.by('hook')).toEqual({ by: 'hook', status: 7, signal: undefined });
  await watch.by('wrapper-gone');
  expect(watch.signs).toHaveLength(3);
  watch.close();
});

it('reports a program that ended before anybody watched', async () => {
  const driver = await tmux().driver();
  const { directory } = await tmux().pane(driver, 'exit 0');
  const early = await watching(directory);
  await early.by('hook');
  early.close();
  const late = await watching(directory);
  expect(await late.by('wrapper')).toEqual({ by: 'wrapper', status: 0 });
  await late.by('hook');
  await late.by('wrapper-gone');
  late.close();
});

it('reports nothing about a living pane', async () => {
  const driver = await tmux().driver();
  const living = await tmux().pane(driver, 'exec sleep 1000');
  const dying = await tmux().pane(driver, 'exit 0');
  const [watch, again, other] = [
    await watching(living.directory),
    await watching(living.directory),
    await watching(dying.directory),
  ];
  await other.by('hook');
  expect([...watch.signs, ...again.signs]).toEqual([]);
  for (const each of [watch, again, other]) each.close();
});

it('reports a killed pane, whose wrapper leaves no status', async () => {
  const driver = await tmux().driver();
  const { directory, pane, pid } = await tmux().pane(driver, 'exec sleep 1000');
  const watch = await watching(directory);
  await until('the wrapper runs', () => existsSync(`${directory}/alive`));
  expect(startTimeOf(pid)).toBeDefined();
  await killPane(driver, pane);
  await watch.by('wrapper-gone');
  expect(await readPane(driver, pane)).toBeUndefined();
  await until('its process is gone', () => startTimeOf(pid) === undefined);
  watch.close();
});

it('reports processes killed from outside, after a reminder to tmux if needed', async () => {
  const driver = await tmux().driver();
  for (let n = 0; n < 10; n++) {
    const { directory, pane, pid } = await tmux().pane(driver, 'exec sleep 1000');
    const watch = await watching(directory);
    await until('the wrapper runs', () => existsSync(`${directory}/alive`));
    process.kill(-pid, 'SIGKILL');
    await watch.by('wrapper-gone');
    expect(await watch.by('hook')).toMatchObject({ by: 'hook' });
    expect(await readPane(driver, pane)).toMatchObject({ dead: true });
    expect(watch.signs.some((sign) => sign.by === 'wrapper')).toBe(false);
    watch.close();
  }
});

it('reports the flags of all panes of all sessions by subscription', async () => {
  const driver = await tmux().driver();
  const { pane } = await tmux().pane(driver, 'read x');
  let panes: ReadonlyMap<PaneId, PaneFlags> = new Map();
  const stop = await watchPaneFlags(driver, (news) => {
    panes = news;
  });
  expect(await until('it is reported', () => panes.get(pane))).toEqual({ dead: false, piped: true, inMode: false });
  await driver.run([['copy-mode', '-t', pane]]);
  await until('copy mode is reported', () => panes.get(pane)?.inMode);
  await driver.run([['send-keys', '-t', pane, '-X', 'cancel']]);
  await driver.run([['send-keys', '-t', pane, 'Enter']]);
  const { pid } = await readIdentity(driver);
  await until('death is reported', () => sendSigchld(pid) && panes.get(pane)?.dead);
  stop();
});
