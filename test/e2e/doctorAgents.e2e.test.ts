import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../schemas/process/processes.ts';
import { makePanes } from '../helpers/paneDaemon.ts';

test('doctor --agents needs no daemon and leaves no program and no tmux server', async () => {
  const { daemon, configDir } = await makePanes('');
  const { stdout, code } = await daemon.cli(['doctor', '--agents', '--json']);
  const rows = JSON.parse(stdout) as { name: string; status: string; detail: string }[];
  expect(rows.map(({ name }) => name)).toEqual(['codex', 'claude', 'gemini', 'opencode']);
  // The scripted agent has a version of its own.
  const detail = expect.stringMatching(/READY after .*; 1\.0\.0 was not tried with devflow; newest tried: /);
  expect(rows.slice(0, 2)).toMatchObject([
    { status: 'warn', detail },
    { status: 'warn', detail },
  ]);
  expect(code).toBe(0);
  const pids = readdirSync(join(configDir, 'sessions')).flatMap((name) => /^(\d+)\.json$/.exec(name)?.slice(1) ?? []);
  expect(pids.filter((pid) => isAlive(Number(pid)))).toEqual([]);
});
