import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { showStart } from '../../../cli/daemon/showStart.ts';
import { awaitReady, type DatabaseWait } from '../../../cli/daemon/startDaemon.ts';
import { watchCluster } from '../../../schemas/embeddedServer/watchCluster.ts';

const WAIT: DatabaseWait = { name: 'The database db:5432/devflow', why: 'connect ECONNREFUSED', patienceMs: 60_000 };
const READY = { ready: true, pid: 1, socket: '/s', ms: 2 };

/** A daemon that says these lines, in pieces, and ends. */
function daemonThatSays(...messages: unknown[]) {
  const text = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const script = 'printf %s "$1" >&3; sleep 0; printf %s "$2" >&3';
  return spawn('sh', ['-c', script, 'sh', text.slice(0, -3), text.slice(-3)], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
}

test('tells what a start waits for, until the daemon is ready', async () => {
  const onWaiting = vi.fn();
  const starting = { ...WAIT, why: 'the database system is starting up' };
  expect(await awaitReady(daemonThatSays({ waiting: WAIT }, { waiting: starting }, READY), '/log', onWaiting)).toEqual(
    READY,
  );
  expect(onWaiting.mock.calls).toEqual([[WAIT], [starting]]);
});

test('throws the reason of a daemon that waited in vain, and says how one ended without a reason', async () => {
  const error = { code: 'db_unreachable', message: 'The database cannot be reached.', hint: 'Look.' };
  await expect(awaitReady(daemonThatSays({ waiting: WAIT }, { error }), '/log')).rejects.toMatchObject({
    code: 'db_unreachable',
    message: 'The database cannot be reached.',
  });
  await expect(awaitReady(daemonThatSays({ waiting: WAIT }), '/log')).rejects.toMatchObject({
    code: 'daemon_start_failed',
    message: 'the daemon exited with code 0 before it was ready',
  });
});

test('does not wait for a keeper that goes on after a daemon that ended without a word', async () => {
  const keeper = spawn('sh', ['-c', 'exec 3>&-; exec sleep 600'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void keeper.kill('SIGKILL'));
  await expect(awaitReady(keeper, '/log')).rejects.toMatchObject({
    code: 'daemon_start_failed',
    message: 'the daemon ended before it was ready',
    data: { isSilent: true },
  });
});

test('says for what and how long on standard error', () => {
  const texts: unknown[] = [];
  const ways = { err: (more: unknown) => void texts.push(more), errIsTty: false, columns: 80 };
  const progress = showStart(ways, { makesCluster: () => true });
  progress.waits(WAIT);
  progress.end();
  expect(texts).toEqual([
    'The database db:5432/devflow cannot be used yet: connect ECONNREFUSED. devflow waits up to 60 s.\n',
  ]);
});

test.each([
  [true, 'Still starting. The first start takes longer.\n'],
  [false, 'Still starting.\n'],
])('says that the first start takes longer only while it makes the cluster: %s', async (makesCluster, said) => {
  const texts: unknown[] = [];
  const ways = { err: (more: unknown) => void texts.push(more), errIsTty: false, columns: 80 };
  const progress = showStart(ways, { makesCluster: () => makesCluster, slowMs: 0 });
  await expect.poll(() => texts).toEqual([said]);
  progress.end();
});

test('a start makes the cluster if it was absent at first and is made now', () => {
  const home = mkdtempSync(join(tmpdir(), 'devflow-cluster-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const place = join(home, 'postgres');
  const ofFirst = watchCluster(place);
  expect(ofFirst()).toBe(false);
  mkdirSync(`${place}.init-abc`);
  expect(ofFirst()).toBe(true);
  renameSync(`${place}.init-abc`, place);
  writeFileSync(join(place, 'PG_VERSION'), '16\n');
  expect(ofFirst()).toBe(true);
  expect(watchCluster(place)()).toBe(false);
});
