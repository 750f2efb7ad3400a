import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchHooks } from '../../../../daemon/sessions/tmux/hookFiles.ts';
import { until } from '../../../helpers/until.ts';

test('each event is told once, also of a directory that was replaced', async () => {
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
  await until('the second is told', () => told.length === 2);
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  write(3, 'Stop');
  await until('that of the new directory is told', () => told.length === 3);
  expect(told).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
});
