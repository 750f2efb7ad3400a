import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, ended, readLog, startRun } from '../helpers/drive.ts';
import { payloads, proveEnd } from './support.ts';

test('records an apply and says so everywhere, also if the daemon was killed before the record', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  const runId = await startRun(daemon, {
    repo: repo.dir,
    template: 'quick-change@1',
    backend: { implementer: 'fake' },
  });
  await drive(daemon, runId);
  await ended(daemon, runId);
  const onto = repo.git('rev-parse', 'main');
  const listed = async () => JSON.parse((await daemon.cli(['run', 'list', '--json'])).stdout)[0];
  expect(await listed()).toMatchObject({ state: 'completed', appliedAt: null });

  // No run is open, so the first commit is the record.
  await daemon.restart({ DEVFLOW_FAULT: 'transition.before_commit' });
  const [killed] = await Promise.all([daemon.cli(['run', 'apply', runId, '--squash', '--yes']), daemon.exited()]);
  expect(killed.code).not.toBe(0);
  const squash = repo.git('rev-parse', 'main');
  expect(repo.git('rev-parse', 'main~1')).toBe(onto);
  await daemon.start();
  expect(await listed()).toMatchObject({ appliedAt: null });

  const again = await daemon.cli(['run', 'apply', runId, '--squash', '--yes']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to apply') });
  const run = await daemon.call('run.get', { runId });
  const head = repo.git('rev-parse', `devflow/${runId}/main`);
  const applied = { target: 'main', commit: squash, onto: squash, head, way: 'found' };
  expect(run).toMatchObject({ state: 'completed', applied: [{ ...applied, at: run.appliedAt }] });
  expect(await listed()).toMatchObject({ state: 'completed', appliedAt: run.appliedAt });
  expect((await daemon.cli(['run', 'list'])).stdout).toMatch(new RegExp(`${runId.slice(0, 8)} +applied `));
  expect((await daemon.cli(['run', 'show', runId])).stdout).toMatch(/^applied .+ to main at /m);
  const report = await daemon.cli(['run', 'report', runId]);
  expect(report.stdout).toContain(`applied to \`main\` at \`${squash.slice(0, 12)}\``);

  await daemon.cli(['run', 'apply', runId, '--yes']);
  expect(payloads(await readLog(daemon, runId), 'run.applied')).toEqual([applied]);
  const plan = await daemon.call('run.cleanupEnded', { applied: true, branches: true, dryRun: true });
  expect(plan.runs[0]?.goes.map(({ what }) => what)).toEqual(['worktree']);
  expect(plan.runs[0]?.kept.map(({ why }) => why)).toEqual(['squash']);
  await proveEnd(daemon, runId, 'completed');

  await daemon.call('run.apply', { runId, way: 'branch', branch: 'mine' });
  const events = await readLog(daemon, runId);
  expect(payloads(events, 'run.applied')[1]).toEqual({ target: 'mine', commit: head, onto: null, head, way: 'branch' });
});
