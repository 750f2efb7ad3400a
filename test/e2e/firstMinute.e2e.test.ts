import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makePanes } from '../helpers/paneDaemon.ts';
import { seatRobot } from '../helpers/robot.ts';
import { until } from '../helpers/until.ts';
import { deskFor } from './dashboard.ts';
import { arrived } from './messageRuns.ts';

const FIRST = 'Greet by name.';

test('in a fresh home one line starts an agent, and five work side by side in two repositories', async () => {
  const panes = await makePanes('busy-ms=150');
  const { daemon } = panes;
  // The first start brings up the daemon.
  onTestFinished(async () => void (await daemon.cli(['down'])));
  const [here, there] = [daemon.repo().dir, daemon.repo().dir];
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 120, rows: 50 });
  robot.type(`cd ${here}; clear; ${desk.devflow} start "${FIRST}"\n`);
  await until('an agent has the sentence', async () => (await arrived(panes, FIRST)).length > 0);
  await robot.sees('is started');

  const more = ['Greet twice.', 'Greet loudly.', 'Say goodbye.', 'Say it politely.'];
  for (const [nth, words] of more.entries()) {
    const started = await daemon.cli(['start', words], { cwd: nth < 2 ? here : there });
    expect(started.code).toBe(0);
  }
  const runs = await until('all wait for the person', async () => {
    const all = await daemon.call('run.list', { limit: 0 });
    return all.length === 5 && all.every(({ waitsForPerson }) => waitsForPerson) ? all : undefined;
  });
  const details = await Promise.all(runs.map(({ runId }) => daemon.call('run.get', { runId })));
  expect(new Set(details.map(({ worktreeRoot }) => worktreeRoot)).size).toBe(5);
  for (const words of [FIRST, ...more]) expect(await arrived(panes, words)).toHaveLength(1);

  const first = details.find(({ title }) => title === FIRST);
  const led = first?.runId.slice(0, 8) ?? '';
  robot.type(`clear; ${desk.devflow} attach ${led}\n`);
  await robot.sees(FIRST);
  robot.press('C-b', 'd');
  robot.type(`clear; ${desk.devflow} message ${led} "In French, too."\n`);
  await until('the agent has the message', async () => (await arrived(panes, 'In French, too.')).length > 0);

  writeFileSync(join(first?.worktreeRoot ?? '', 'hello.txt'), 'Bonjour\n');
  robot.type(`clear; ${desk.devflow} finish ${led}\n`);
  await robot.sees('Apply the work, go on with the agent, or decide later?');
  robot.type('a\n');
  await robot.sees('Apply? [y/N]');
  robot.type('y\n');
  const applied = join(here, 'hello.txt');
  await robot.until('the work is in the checkout', () => existsSync(applied));
  expect(readFileSync(applied, 'utf8')).toBe('Bonjour\n');
  for (const { runId, title } of runs) if (title !== FIRST) await daemon.call('run.abort', { runId });
});
