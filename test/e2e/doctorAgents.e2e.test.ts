import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePanes } from './withPanes.ts';

test('doctor --agents needs no daemon, and leaves neither a program nor a tmux server', async () => {
  const { daemon, configDir } = await makePanes('');
  const { stdout, code } = await daemon.cli(['doctor', '--agents', '--json']);
  const rows = JSON.parse(stdout) as { name: string; status: string; detail: string }[];
  expect(rows.map(({ name }) => name)).toEqual(['codex', 'claude', 'gemini', 'opencode']);
  expect(rows.slice(0, 2)).toMatchObject([
    { status: 'pass', detail: expect.stringContaining('READY after') },
    { status: 'pass', detail: expect.stringContaining('READY after') },
  ]);
  expect(code).toBe(0);
  expect(readdirSync(join(configDir, 'sessions')).filter((name) => /^\d+\.json$/.test(name) && isAlive(name))).toEqual(
    [],
  );
});

function isAlive(stateFile: string): boolean {
  try {
    return process.kill(Number(stateFile.replace('.json', '')), 0);
  } catch {
    return false;
  }
}
