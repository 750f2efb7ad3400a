import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../schemas/process/processes.ts';
import { noSandboxBecause } from '../helpers/canSandbox.ts';
import { makePanes } from '../helpers/paneDaemon.ts';

test('doctor --agents needs no daemon and leaves no program and no tmux server', async () => {
  const { daemon, configDir } = await makePanes('');
  const { stdout, code } = await daemon.cli(['doctor', '--agents', '--json']);
  const rows = JSON.parse(stdout) as { name: string; status: string; detail: string }[];
  const tried = (name: string) => {
    // The scripted agent has a version of its own.
    const untried = expect.stringMatching(/READY after .*; 1\.0\.0 was not tried with devflow; newest tried: /);
    const inside = { name: `${name}-sandbox`, status: 'pass', detail: expect.stringMatching(/^in a sandbox: .*READY/) };
    return [{ name, status: 'warn', detail: untried }, ...(noSandboxBecause === undefined ? [inside] : [])];
  };
  expect(rows).toMatchObject([...tried('codex'), ...tried('claude'), { name: 'gemini' }, { name: 'opencode' }]);
  expect(code).toBe(0);
  const pids = readdirSync(join(configDir, 'sessions')).flatMap((name) => /^(\d+)\.json$/.exec(name)?.slice(1) ?? []);
  expect(pids.filter((pid) => isAlive(Number(pid)))).toEqual([]);
});
