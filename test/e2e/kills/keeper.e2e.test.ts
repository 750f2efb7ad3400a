import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRunningServer } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { isAlive } from '../../../schemas/process/processes.ts';
import { makeDaemon, type TestDaemon } from '../../helpers/daemon.ts';
import { keeperOf } from '../../helpers/keeper.ts';
import { startPrivatePostgres } from '../../helpers/privatePostgres.ts';
import { seatRobotInTmux } from '../../helpers/robot.ts';
import { until } from '../../helpers/until.ts';
import { deskFor } from '../dashboard.ts';

const pidOf = async (daemon: TestDaemon) => (await daemon.call('daemon.status', {})).daemon.pid;

/** Another daemon than that, with its database. Nobody types `up`. */
function comesBack(daemon: TestDaemon, after: number): Promise<number> {
  return until('another daemon serves', async () => {
    const status = await daemon.call('daemon.status', {}).catch(() => undefined);
    return status?.database.ok && status.daemon.pid !== after ? status.daemon.pid : undefined;
  });
}

/** The pid of the database server; as root its data lies elsewhere. */
function postmasterOf({ env }: TestDaemon): number {
  const { postgresData } = resolvePaths(env);
  const elsewhere = join(postgresData, 'LOCATION');
  return readRunningServer(existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : postgresData)?.pid ?? 0;
}

test('comes back by itself after kill -9 of the daemon and of its database; kill -9 of the keeper ends neither', async () => {
  const daemon = await makeDaemon({ database: 'embedded' });
  expect((await daemon.upByCommand()).code).toBe(0);
  const first = await pidOf(daemon);
  const keeper = keeperOf(daemon);
  expect(statSync(resolvePaths(daemon.env).keeperFile).mode & 0o777).toBe(0o600);

  process.kill(first, 'SIGKILL');
  const second = await comesBack(daemon, first);
  process.kill(postmasterOf(daemon), 'SIGKILL');
  const third = await comesBack(daemon, second);
  expect(keeperOf(daemon)).toBe(keeper);

  process.kill(keeper, 'SIGKILL');
  await until('the keeper is gone', () => !isAlive(keeper));
  expect(await pidOf(daemon)).toBe(third);
  expect((await daemon.cli(['status'])).stdout).toMatch(/^keeper +none/m);
  const [one, two] = await Promise.all([daemon.cli(['up']), daemon.cli(['up'])]);
  for (const { stdout } of [one, two]) expect(stdout).toContain(`is already up: pid ${third}`);
  expect(keeperOf(daemon)).not.toBe(keeper);
  expect((await daemon.cli(['status'])).stdout).not.toMatch(/^keeper/m);
  process.kill(third, 'SIGKILL');
  const fourth = await comesBack(daemon, third);

  const another = keeperOf(daemon);
  expect((await daemon.cli(['down'])).stdout).toContain(`devflow is down (pid ${fourth} ended)`);
  expect([isAlive(another), isAlive(fourth)]).toEqual([false, false]);
  expect(await daemon.cli(['status'])).toMatchObject({
    code: 1,
    stdout: 'devflow is not running. Start it with devflow up.\n',
  });
});

test('says everywhere that it waits for its database, starts when that answers, and down ends the waiting', async () => {
  const place = mkdtempSync(join(tmpdir(), 'devflow-db-'));
  chmodSync(place, 0o711);
  const server = await startPrivatePostgres(resolvePaths({ DEVFLOW_HOME: place }));
  onTestFinished(async () => {
    await server.stop();
    rmSync(place, { recursive: true, force: true });
  });
  const daemon = await makeDaemon({ env: { DEVFLOW_DATABASE_URL: server.url } });
  const desk = deskFor(daemon);
  const status = 'set -g status-right-length 60 ; set -g status-right "[#{@devflow_status}]"';
  const { robot } = await seatRobotInTmux(desk, 'person', { columns: 120, config: [...desk.config, status] });
  expect((await daemon.upByCommand()).code).toBe(0);
  const first = await pidOf(daemon);
  robot.openPopup('F');
  await robot.sees('No runs yet.');

  await server.stop();
  const waits = /devflow waits for the database since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
  await robot.sees(waits);
  robot.press('q');
  await robot.sees(/\[waits for the database since \d\d:\d\d\]/);
  expect(await daemon.cli(['status'])).toMatchObject({ code: 1, stdout: expect.stringMatching(waits) });
  const json = JSON.parse((await daemon.cli(['status', '--json'])).stdout);
  expect(json).toMatchObject({ daemon: null, keeper: { state: 'waiting', reason: 'database' } });
  const list = await daemon.cli(['run', 'list']);
  expect(list).toMatchObject({ code: 1, stderr: expect.stringMatching(waits) });
  expect(list.stderr).toContain('[daemon_not_running]. It goes on by itself.');
  robot.openPopup('F');
  await robot.sees(waits);

  // Another `up` tries at once, with the environment of its shell, and the waiting goes on.
  const keeper = keeperOf(daemon);
  const up = await daemon.cli(['up']);
  expect(up).toMatchObject({ code: 1, stderr: expect.stringContaining('[db_unreachable]') });
  expect(up.stderr).toMatch(waits);
  expect(isAlive(keeper)).toBe(false);
  await until('the next keeper waits', async () =>
    (await daemon.cli(['status', '--json'])).stdout.includes('"waiting"'),
  );

  await server.start();
  const second = await comesBack(daemon, first);
  await robot.sees('No runs yet.');
  robot.press('q');
  await robot.sees('[]');

  await server.stop();
  await until('it waits again', async () => waits.test((await daemon.cli(['status'])).stdout));
  expect(isAlive(second)).toBe(false);
  const last = keeperOf(daemon);
  expect(await daemon.cli(['down'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('devflow is down. It waited for the database since'),
  });
  expect(isAlive(last)).toBe(false);
  await robot.sees('[]');
});

test('gives up on a daemon that crashes at each start, and says so until the next up', async () => {
  const daemon = await makeDaemon();
  expect((await daemon.upByCommand()).code).toBe(0);
  const keeper = keeperOf(daemon);
  const killed = new Set<number>();
  await until('the keeper gives up', async () => {
    const pid = await pidOf(daemon).catch(() => 0);
    if (pid !== 0 && !killed.has(pid)) process.kill(pid, 'SIGKILL');
    killed.add(pid);
    return !isAlive(keeper);
  });
  const status = await daemon.cli(['status']);
  expect(status).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('devflow gave up, because its daemon crashes soon after each start'),
  });
  expect(status.stdout).toContain(resolvePaths(daemon.env).logFile);
  expect((await daemon.upByCommand()).code).toBe(0);
  expect((await daemon.cli(['status'])).code).toBe(0);
});
