import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

it('CC-2: the built CLI answers without a daemon what the built program answers', async () => {
  const repo = mkdtempSync(join(tmpdir(), 'devflow-contracts-'));
  onTestFinished(() => rmSync(repo, { recursive: true, force: true }));
  mkdirSync(join(repo, '_docs'));
  writeFileSync(join(repo, '_docs/_autodev_state.md'), 'Not what it should be.\n');
  const env = { DEVFLOW_HOME: join(repo, 'home'), PATH: process.env.PATH };
  const run = (name: string, ...words: string[]) =>
    promisify(execFile)(process.execPath, [join(inject('built'), 'dist', name), ...words], { env }).catch(
      (error) => error,
    );
  const cli = await run('cli.cjs', 'contract', 'check', '--json', '--repo', repo);
  const program = await run('daemon.cjs', 'oneshot', 'contract.check', JSON.stringify({ repo }));
  expect([cli.code, cli.stderr]).toEqual([1, '']);
  expect(JSON.parse(cli.stdout)).toEqual(JSON.parse(program.stdout).result);
  expect(JSON.parse(cli.stdout).errors).toMatchObject([{ code: 'AUTODEV_PARSE_ERROR' }]);
});
