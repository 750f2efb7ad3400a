import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { endKeeper } from '../../../cli/daemon/keeper.ts';
import { stopDaemon } from '../../../cli/daemon/stopDaemon.ts';
import { packageRoot, resolvePaths } from '../../../schemas/files/paths.ts';
import { KEEPER_SCRIPT, newRecord, writeRecord } from '../../../schemas/keeper/record.ts';
import { isAlive } from '../../../schemas/process/processes.ts';
import { until } from '../../helpers/until.ts';

/** A program with the name of the keeper's script, or that script, as the keeper of a home of its own. */
async function givenKeeper(text: string, daemon = '') {
  const home = mkdtempSync(join(tmpdir(), 'devflow-keeper-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { HOME: home, DEVFLOW_HOME: home, XDG_RUNTIME_DIR: home };
  const { keeperFile } = resolvePaths(env);
  mkdirSync(dirname(keeperFile), { recursive: true });
  const file = (name: string) => join(home, name);
  const write = (name: string, lines: string) => {
    writeFileSync(file(name), `#!/bin/sh\n${lines}\n`);
    chmodSync(file(name), 0o755);
    return file(name);
  };
  const node = write('node', `echo "$*" >'${file('decided')}'`);
  const own = [keeperFile, node, '/program', file('log'), ''];
  const words = [write(KEEPER_SCRIPT, text), ...own, write('daemon', daemon), home];
  const child = spawn('/bin/sh', words, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const pid = child.pid ?? 0;
  writeRecord(keeperFile, newRecord(pid, 'up'));
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim() : undefined);
  return { env, pid, ended, read };
}

const SCRIPT = readFileSync(join(packageRoot(), 'daemon', 'keeper', KEEPER_SCRIPT), 'utf8');
/** It notes each signal in a file, and does not end. */
const HANGS = `
trap 'echo term >>"$1/terms"' TERM
echo $$ >"$1/pid.new"; mv "$1/pid.new" "$1/pid"
while :; do sleep 0.02; done`;

test('signals again a keeper that lost the first signal', async () => {
  const keeper = await givenKeeper(`trap 'trap - TERM' TERM; echo >"$7/ready"; while :; do sleep 0.02; done`);
  await until('it runs', () => keeper.read('ready') !== undefined);
  expect(await endKeeper(keeper.env)).toMatchObject({ pid: keeper.pid });
  expect(await keeper.ended).toEqual([null, 'SIGTERM']);
});

test('a daemon that hangs after devflow down and is killed does not come back, and was signalled once', async () => {
  const keeper = await givenKeeper(SCRIPT, HANGS);
  const pid = Number(await until('the daemon runs', () => keeper.read('pid')));
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  const client = { call: async () => ({ pid }), closed: keeper.ended } as unknown as Client;
  const stopped = stopDaemon(client, keeper.env);
  await until('the keeper passed the signal on', () => keeper.read('terms'));
  process.kill(keeper.pid, 'SIGTERM');
  process.kill(pid, 'SIGKILL');
  expect(await stopped).toEqual({ pid });
  expect(await keeper.ended).toEqual([0, null]);
  expect([keeper.read('terms'), keeper.read('decided')]).toEqual(['term', undefined]);
});
