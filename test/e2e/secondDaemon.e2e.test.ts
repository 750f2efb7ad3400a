import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { makeDaemon, startDaemon } from '../helpers/daemon.ts';
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

test('without a daemon, an agent stops no database and publishes nothing', async () => {
  const daemon = await makeDaemon();
  const file = join(daemon.root, 'own.yaml');
  writeFileSync(file, 'name: own\n');
  const agent = { DEVFLOW_AGENT: 'a1', DEVFLOW_SESSION_DIR: join(daemon.workspaceRoot, 'r1', 'sessions', 'a1') };
  Object.assign(daemon.env, agent);
  for (const words of [['down'], ['template', 'publish', file], ['persona', 'publish', file]]) {
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
