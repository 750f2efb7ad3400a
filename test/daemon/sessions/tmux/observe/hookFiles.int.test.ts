import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchHooks } from '../../../../../daemon/sessions/tmux/observe/hookFiles.ts';
import { until } from '../../../../helpers/until.ts';

test('reports each event once, also from a replaced directory', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hooks-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, 'hooks');
  const told: string[] = [];
  const write = (nth: number, name: string) => writeFileSync(join(directory, `${nth}.1.${name}.json`), '{}');
  mkdirSync(directory);
  write(1, 'SessionStart');
  const hooks = await watchHooks(directory, ({ name }) => told.push(name));
  onTestFinished(() => hooks.close());
  expect(told).toEqual(['SessionStart']);
  write(2, 'UserPromptSubmit');
  await until('the second is reported', () => told.length === 2);
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  write(3, 'Stop');
  await until('that of the new directory is told', () => told.length === 3);
  expect(told).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
});

test('ignores what an agent put in place of an event, and deletes it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hooks-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  mkdirSync(join(directory, '1.1.Stop.json'));
  writeFileSync(join(directory, '1.1.Stop.json', 'inside'), '');
  const told: string[] = [];
  const hooks = await watchHooks(directory, ({ name }) => told.push(name));
  onTestFinished(() => hooks.close());
  writeFileSync(join(directory, '2.1.SessionStart.json'), '{}');
  hooks.prune();
  expect(told).toEqual(['SessionStart']);
  expect(readdirSync(directory)).toEqual(['2.1.SessionStart.json']);
});
