import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot, resolvePaths } from '../../../schemas/files/paths.ts';
import { type KeeperRecord, newRecord, readRecord, writeRecord } from '../../../schemas/keeper/record.ts';
import { until } from '../../helpers/until.ts';

const PROGRAM = join(packageRoot(), 'daemon', 'keeper', 'main.ts');
/** A pid that no process has. */
const DAEMON = 2 ** 30;

/** A keeper whose daemon has just ended. It becomes the program once its record is written. */
function givenKeeper() {
  const home = mkdtempSync(join(tmpdir(), 'devflow-keeper-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH ?? '', HOME: home, DEVFLOW_HOME: home, XDG_RUNTIME_DIR: home };
  const { keeperFile, socketPath } = resolvePaths(env);
  for (const file of [keeperFile, socketPath]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const words = ['--experimental-strip-types', '--no-warnings', PROGRAM, keeperFile, 'ended', String(DAEMON), '137'];
  const child = spawn('/bin/sh', ['-c', 'read -r go; exec "$@"', 'keeper.sh', process.execPath, ...words], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  return {
    file: keeperFile,
    serve: () => writeFileSync(`${socketPath}.pid`, `${DAEMON}\n`, { mode: 0o600 }),
    decide(more: Partial<KeeperRecord>) {
      writeRecord(keeperFile, { ...newRecord(child.pid ?? 0, 'up'), ...more });
      child.stdin.write('go\n');
    },
    child,
    ended,
  };
}

test('ends with a daemon whose first start failed, and leaves no record', async () => {
  const { decide, ended, file } = givenKeeper();
  decide({ first: true });
  expect(await ended).toEqual([137, null]);
  expect(existsSync(file)).toBe(false);
});

test('keeps a daemon that became ready after its `devflow up` was interrupted', async () => {
  const { decide, serve, file, child, ended } = givenKeeper();
  serve();
  decide({ first: true });
  const record = await until('it waits', () => {
    const now = readRecord(file);
    return now?.state === 'waiting' ? now : undefined;
  });
  expect(record).toMatchObject({ reason: 'crash', crashes: 1 });
  expect(record.first).toBeUndefined();
  child.kill('SIGKILL');
  await ended;
});
