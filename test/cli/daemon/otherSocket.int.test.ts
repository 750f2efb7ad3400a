import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { notRunning, readKeeperNews, refuseOtherSocket } from '../../../cli/daemon/keeper.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { KEEPER_SCRIPT, newRecord, writeRecord } from '../../../schemas/keeper/record.ts';

/** A keeper that was started with this environment. */
async function givenKeeper(env: Record<string, string>): Promise<void> {
  const { keeperFile, socketPath, stateDir } = resolvePaths(env);
  const script = join(dirname(stateDir), KEEPER_SCRIPT);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  writeFileSync(script, 'echo ready; read -r never\n');
  const child = spawn('/bin/sh', [script, keeperFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await once(child.stdout, 'data');
  writeRecord(keeperFile, newRecord(child.pid ?? 0, 'up', socketPath));
}

test('a shell that looks for another socket starts no second daemon, and learns which variable differs', async () => {
  const HOME = mkdtempSync(join(tmpdir(), 'devflow-home-'));
  onTestFinished(() => rmSync(HOME, { recursive: true, force: true }));
  const env = { HOME, XDG_RUNTIME_DIR: join(HOME, 'run') };
  await givenKeeper(env);
  expect(() => refuseOtherSocket(env)).not.toThrow();
  expect(readKeeperNews(env)).toBeUndefined();

  const cron = { HOME };
  expect(() => refuseOtherSocket(cron)).toThrow(
    `devflow uses the socket ${resolvePaths(env).socketPath}, and this shell looks for ${resolvePaths(cron).socketPath}.`,
  );
  expect(notRunning(cron, 'down')).toMatchObject({
    code: 'daemon_not_running',
    recoveryHint: expect.stringContaining('XDG_RUNTIME_DIR'),
  });
});
