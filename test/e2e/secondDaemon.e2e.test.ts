import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { runForeground } from '../../cli/daemon/foreground.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { fakeIo } from '../cli/fakeIo.ts';
import { makeDaemon, startDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { startPrivatePostgres } from '../helpers/privatePostgres.ts';
import { until } from '../helpers/until.ts';

test('a second daemon exits 3, and the first keeps its database', async () => {
  const daemon = await startDaemon({ database: 'embedded' });
  const program = join(inject('built'), 'dist', 'daemon.cjs');
  const second = spawnSync(process.execPath, [program, '--migrate'], { env: daemon.env, encoding: 'utf8' });
  expect(second.stderr).toContain(`(pid ${daemon.pid()} on`);
  expect(second.status).toBe(3);
  expect((await daemon.call('daemon.status', {})).database.ok).toBe(true);
});

test('up, status and down name a stopped daemon; up waits for the end of one whose database was killed', async () => {
  const daemon = await makeDaemon({ database: 'embedded' });
  expect((await daemon.upByCommand()).code).toBe(0);
  const pid = (await daemon.call('daemon.status', {})).daemon.pid;
  process.kill(pid, 'SIGSTOP');
  const answers = await Promise.all([['up'], ['status'], ['down'], ['run', 'list']].map((args) => daemon.cli(args)));
  process.kill(pid, 'SIGCONT');
  for (const { code, stderr } of answers) {
    expect(stderr).toContain(`the daemon (pid ${pid}) does not answer: it is stopped (state T) [daemon_unresponsive]`);
    expect(stderr).toContain(`kill -CONT ${pid}`);
    expect(code).toBe(1);
  }

  const dataDir = resolvePaths(daemon.env).postgresData;
  const place = spawnSync('cat', [join(dataDir, 'LOCATION')], { encoding: 'utf8' }).stdout.trim() || dataDir;
  process.kill(Number(readFileSync(join(place, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  const again = await daemon.cli(['up']);
  expect(again.code, again.stderr).toBe(0);
  const after = await daemon.call('daemon.status', {});
  expect(after.daemon.pid).not.toBe(pid);
  expect(after.database.ok).toBe(true);
});

test('up waits for an external database that starts later, and says so', async () => {
  const daemon = await makeDaemon();
  const place = mkdtempSync(join(daemon.root, 'server-'));
  chmodSync(place, 0o711);
  const server = await startPrivatePostgres(resolvePaths({ DEVFLOW_HOME: place }));
  daemon.afterStop(() => server.stop());
  await server.stop();
  daemon.env.DEVFLOW_DATABASE_URL = server.url;
  const starting = daemon.upByCommand();
  const { logFile } = resolvePaths(daemon.env);
  await until('the start waits', () => existsSync(logFile) && readFileSync(logFile, 'utf8').includes('waiting for'));
  await server.start();
  const { code, stderr } = await starting;
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/^The database .* cannot be used yet: connect ENOENT .*\. devflow waits up to 60 s\.$/m);
});

test('a machine that lost its state directory takes its host over, with its runs; later starts need no option', async () => {
  const daemon = await makeDaemon();
  expect((await daemon.upByCommand()).code).toBe(0);
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested' });
  await daemon.cli(['down']);
  rmSync(resolvePaths(daemon.env).stateDir, { recursive: true });
  const refused = await daemon.cli(['up']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('[host_taken]') });
  expect(refused.stderr).toContain('devflow up --take-host');
  const listeners = process.listenerCount('SIGTERM');
  await expect(runForeground(fakeIo(), daemon.env, [])).rejects.toMatchObject({ code: 'host_taken' });
  expect(process.listenerCount('SIGTERM')).toBe(listeners);
  const unasked = await daemon.cli(['up', '--take-host']);
  expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('its runs go on here') });

  const taken = await daemon.upByCommand(['--take-host', '--yes']);
  expect(taken).toMatchObject({ code: 0, stderr: expect.stringContaining('Taking over host') });
  const again = await daemon.cli(['up', '--take-host']);
  expect(again).toMatchObject({ code: 0, stderr: 'devflow was up before, so nothing was taken over.\n' });
  const { pid } = (await daemon.call('daemon.status', {})).daemon;
  process.kill(pid, 'SIGKILL');
  await until('its keeper starts the next one', async () => {
    const status = await daemon.call('daemon.status', {}).catch(() => undefined);
    return status !== undefined && status.daemon.pid !== pid;
  });
  expect((await drive(daemon, runId)).at(-1)?.type).toBe('run.completed');
});

test('without a daemon, an agent stops no database, takes no host over and publishes nothing', async () => {
  const daemon = await makeDaemon();
  const file = join(daemon.root, 'own.yaml');
  writeFileSync(file, 'name: own\n');
  const agent = { DEVFLOW_AGENT: 'a1', DEVFLOW_SESSION_DIR: join(daemon.workspaceRoot, 'r1', 'sessions', 'a1') };
  Object.assign(daemon.env, agent);
  for (const words of [['down'], ['up', '--take-host'], ['template', 'publish', file], ['persona', 'publish', file]]) {
    expect(await daemon.cli(words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[agent_may_not_decide]'),
    });
  }
  delete daemon.env.DEVFLOW_AGENT;
  expect(await daemon.cli(['down'])).toMatchObject({ stderr: expect.stringContaining('[agent_may_not_decide]') });
  delete daemon.env.DEVFLOW_SESSION_DIR;
  expect(await daemon.cli(['down'])).toMatchObject({ code: 0, stdout: 'devflow was not running.\n' });
});
