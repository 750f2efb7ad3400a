import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { proveEnd, scenario } from './support.ts';

const withLimit = (limit: number) => ({
  DEVFLOW_MAX_CONCURRENT_RUNS: String(limit),
  DEVFLOW_MAX_CONCURRENT_AGENTS: '64',
});
/** Its planner works until the test ends the run. */
const WORKS = scenario('spec=timeout');

const places = async (daemon: TestDaemon) => (await daemon.call('daemon.status', {})).places;
const summaries = (daemon: TestDaemon) => daemon.call('run.list', {});
/** The ids of the queued runs, in the order that lists say. */
const queued = async (daemon: TestDaemon) =>
  (await summaries(daemon))
    .filter(({ queue }) => queue)
    .sort((a, b) => (a.queue?.position ?? 0) - (b.queue?.position ?? 0))
    .map(({ runId }) => runId);

/** Starts runs at once. Returns them in the order of their creation. */
async function startMany(daemon: TestDaemon, count: number, requirements = WORKS): Promise<string[]> {
  const repo = daemon.repo().dir;
  const start = () => startRun(daemon, { repo, requirements, parallel: true });
  const ids = new Set(await Promise.all(Array.from({ length: count }, start)));
  const mine = (await summaries(daemon)).filter(({ runId }) => ids.has(runId));
  return mine.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map(({ runId }) => runId);
}

const abort = (daemon: TestDaemon, ids: readonly string[]) =>
  Promise.all(ids.map((runId) => daemon.call('run.abort', { runId })));

const atGate = (daemon: TestDaemon, runId: string) =>
  drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'approval.requested' });

test('of fifty starts four work and the rest is queued in order, also after kill -9 of daemon and database', async () => {
  const daemon = await startDaemon({ database: 'embedded', env: withLimit(4) });
  const ids = await startMany(daemon, 50);
  expect(await queued(daemon)).toEqual(ids.slice(4));
  expect(await places(daemon)).toEqual({ atWork: 4, queued: 46, limit: 4 });
  const last = await daemon.call('run.get', { runId: ids.at(-1) ?? '' });
  expect(last).toMatchObject({ state: 'created', queue: { position: 46, of: 46 }, waitsForPerson: false });
  expect(last.waitingFor).toBe('its turn: 46 of 46 in the queue, 4 of 4 runs at work');

  const postmaster = join(resolvePaths(daemon.env).postgresData, 'postmaster.pid');
  process.kill(Number(readFileSync(postmaster, 'utf8').split('\n')[0]), 'SIGKILL');
  await daemon.kill('SIGKILL');
  await daemon.startDatabase();
  await daemon.start();
  expect(await queued(daemon)).toEqual(ids.slice(4));
  expect(await places(daemon)).toEqual({ atWork: 4, queued: 46, limit: 4 });

  await abort(daemon, ids.slice(0, 2));
  await until('the next two work', async () => (await queued(daemon)).length === 44 || undefined);
  expect(await queued(daemon)).toEqual(ids.slice(6));
  await abort(daemon, ids.slice(6));
  await abort(daemon, ids.slice(2, 6));
  await proveEnd(daemon, ids[49] ?? '', 'aborted');
  await proveEnd(daemon, ids[5] ?? '', 'aborted');
});

test('runs at a gate take no place, and a decision brings one back above the limit', async () => {
  const daemon = await startDaemon({ env: withLimit(1) });
  const [first = ''] = await startMany(daemon, 1, 'Make it better.');
  const [second = '', third = ''] = await startMany(daemon, 2, 'Make it better.');
  await Promise.all([first, second, third].map((runId) => atGate(daemon, runId)));
  expect(await places(daemon)).toEqual({ atWork: 0, queued: 0, limit: 1 });
  const working = await startRun(daemon, { repo: daemon.repo().dir, requirements: WORKS });
  const [waits = ''] = await startMany(daemon, 1, 'Make it better.');
  await drive(daemon, first);
  await proveEnd(daemon, first, 'completed');
  expect(await queued(daemon)).toEqual([waits]);
  expect((await daemon.cli(['status'])).stdout).toMatch(/^runs at work +1 of 1, 1 queued$/m);
  await daemon.call('run.abort', { runId: working });
  await atGate(daemon, waits);
  await abort(daemon, [second, third, waits]);
  for (const runId of [second, working, waits]) await proveEnd(daemon, runId, 'aborted');
});

test('moves, refuses to move or to pause, and shows the place of queued runs on the command line', async () => {
  const daemon = await startDaemon({ env: withLimit(1) });
  const ids = await startMany(daemon, 4);
  const [works = '', b = '', c = '', d = ''] = ids;
  const move = (...words: string[]) => daemon.cli(['run', 'move', ...words]);
  expect(await move(d, '--first')).toMatchObject({
    code: 0,
    stdout: `Run ${d.slice(0, 8)} is now 1 of 3 in the queue.\n`,
  });
  expect(await move(b, '--after', c)).toMatchObject({ code: 0 });
  expect(await queued(daemon)).toEqual([d, c, b]);
  expect((await daemon.cli(['run', 'show', c])).stdout).toMatch(/^place in the queue +2 of 3$/m);
  expect((await daemon.cli(['run', 'list', '--json'])).stdout).toContain('"state": "created"');
  expect((await daemon.cli(['ls'])).stdout).toContain('queued');
  expect(await move(works, '--first')).toMatchObject({ code: 5, stderr: expect.stringContaining('has begun') });
  expect(await move(c)).toMatchObject({ code: 2 });
  await expect(daemon.call('run.pause', { runId: c })).rejects.toMatchObject({
    code: 'state_conflict',
    message: expect.stringContaining('before it begins'),
  });

  await daemon.restart(withLimit(2));
  await until('the run that was moved to the front begins', async () => {
    const { state } = await daemon.call('run.get', { runId: d });
    return state !== 'created';
  });
  expect(await queued(daemon)).toEqual([c, b]);
  await abort(daemon, [c, b, d, works]);
  for (const runId of ids) await proveEnd(daemon, runId, 'aborted');
});

test('a run begins after another one was completed, from the base branch of that time', async () => {
  const daemon = await startDaemon({ env: withLimit(4) });
  const repo = daemon.repo();
  const first = await startRun(daemon, { repo: repo.dir });
  const second = await startRun(daemon, { repo: repo.dir, after: first.slice(0, 8) });
  const before = repo.git('rev-parse', 'main');
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'later');
  expect(await daemon.call('run.get', { runId: second })).toMatchObject({
    state: 'created',
    after: first,
    queue: { position: 1, of: 1, after: first },
    waitingFor: `run ${first.slice(0, 8)}, which comes first`,
    baseCommit: before,
  });
  await daemon.kill('SIGKILL');
  await daemon.start();
  await drive(daemon, first);
  await atGate(daemon, second);
  expect(await daemon.call('run.get', { runId: second })).toMatchObject({ baseCommit: repo.git('rev-parse', 'main') });
  await drive(daemon, second);
  await proveEnd(daemon, second, 'completed');
});

test('a run whose predecessor was aborted waits for a person, who releases it', async () => {
  const daemon = await startDaemon({ env: withLimit(4) });
  const repo = daemon.repo().dir;
  const first = await startRun(daemon, { repo, requirements: WORKS });
  const second = await startRun(daemon, { repo, after: first });
  await daemon.call('run.abort', { runId: first });
  const asks = await until('the run asks a person', async () => {
    const run = await daemon.call('run.get', { runId: second });
    return run.waitsForPerson ? run : undefined;
  });
  expect(asks.waitingFor).toContain(`because run ${first.slice(0, 8)} was aborted`);
  expect((await daemon.cli(['ls'])).stdout).toContain('needs you');
  await expect(startRun(daemon, { repo, after: first })).rejects.toMatchObject({ code: 'state_conflict' });
  const moved = await daemon.cli(['run', 'move', second, '--release']);
  expect(moved).toMatchObject({ code: 0, stdout: `Run ${second.slice(0, 8)} begins.\n` });
  await drive(daemon, second);
  await proveEnd(daemon, second, 'completed');
});

test('starts one run for each item of a file, and none twice', async () => {
  const daemon = await startDaemon({ env: withLimit(1) });
  const repo = daemon.repo();
  const file = join(daemon.root, 'tasks.md');
  const task = (title: string) => `- [ ] ${title}\n  Scenario: spec=timeout\n`;
  writeFileSync(file, `# Today\n${task('Add a parser')}- [x] Done\n${task('Print it')}`);
  const roles = ['--template', 'development@1', '--backend', 'planner=fake', '--backend', 'implementer=fake'];
  const each = (...words: string[]) =>
    daemon.cli(['run', 'start', '--each', file, ...roles, ...words], { cwd: repo.dir });
  expect(await each()).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') });
  expect(await each('--dry-run')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('2 runs would'),
  });
  expect(await summaries(daemon)).toEqual([]);

  const { code, stdout, stderr } = await each('--yes');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^\w{8} {2}started {2}Add a parser\n\w{8} {2}queued, 1 of 1 {2}Print it\n$/),
  ]);
  expect(stderr).toContain('   1. Add a parser\n   2. Print it\n');
  expect(await each('--yes')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('has its run') });
  writeFileSync(file, `${task('Print it')}${task('Ship it')}`);
  const again = await each('--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    started: [{ title: 'Ship it', queue: { position: 2 } }],
    failed: [],
  });
  const runs = await summaries(daemon);
  expect(runs.map(({ title }) => title).sort()).toEqual(['Add a parser', 'Print it', 'Ship it']);
  await abort(daemon, (await queued(daemon)).reverse());
  await abort(
    daemon,
    runs.filter(({ queue }) => !queue).map(({ runId }) => runId),
  );
  for (const { runId } of runs) await proveEnd(daemon, runId, 'aborted');
});
