import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EndOfRun } from '../../schemas/rpc/views/ends.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { deadlyGit } from '../helpers/deadlyGit.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';

async function completedRun(daemon: TestDaemon, repo: string): Promise<string> {
  const runId = await startRun(daemon, { repo, template: 'quick-change@1', backend: { implementer: 'fake' } });
  await drive(daemon, runId);
  await ended(daemon, runId);
  return runId;
}

const WRONG: [string[], string][] = [
  [['cleanup'], 'name a run, or give --ended'],
  [['cleanup', '3f9a', '--branches'], '--branches needs --ended'],
  [['cleanup', '3f9a', '--dry-run'], '--dry-run needs --ended'],
  [['cleanup', '3f9a', '--ended'], '--ended takes no run'],
  [['cleanup', '--ended', '--force'], '--force and --ended cannot be used together'],
  [['cleanup', '--ended', '--lane', 'main'], '--lane and --ended cannot be used together'],
  [['cleanup', '--ended', '--older-than', 'soon'], '--older-than soon is not a time'],
];

test('removes what ended runs left, asks first, and goes on after a kill -9 in between', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  const runs: string[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    const runId = await completedRun(daemon, repo.dir);
    if (nth < 3) expect(await daemon.cli(['run', 'apply', runId, '--yes'])).toMatchObject({ code: 0 });
    runs.push(runId);
  }
  const [, , , open = ''] = runs;
  const pathOf = (runId: string) => join(daemon.workspaceRoot, runId, 'main');
  const branches = () => repo.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/devflow').split('\n');
  writeFileSync(join(pathOf(open), 'late.txt'), 'late\n');
  const all = ['cleanup', '--ended', '--branches', '--repo', repo.dir];

  for (const [args, message] of WRONG) {
    expect(await daemon.cli(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  }
  const refused = await daemon.cli(all);
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no terminal to ask on') });
  expect(refused.stderr).toMatch(/3 worktrees and 3 branches of 3 runs, [\d.]+ [KM]B/);
  const shown = await daemon.cli([...all, '--dry-run']);
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.stdout).toContain('late.txt');
  const older = await daemon.cli(['cleanup', '--ended', '--older-than', '1d', '--dry-run', '--json']);
  expect(JSON.parse(older.stdout)).toEqual({ runs: [], done: true });
  expect(runs.map((runId) => existsSync(pathOf(runId)))).toEqual([true, true, true, true]);
  expect(branches()).toHaveLength(4);

  const left = /4 worktrees and 4 branches, [\d.]+ [KM]B/;
  expect((await daemon.cli(['status'])).stdout).toMatch(left);
  const results = await daemon.call('daemon.doctor', {});
  expect(results.find(({ name }) => name === 'ended-runs')).toMatchObject({
    status: 'pass',
    detail: expect.stringMatching(left),
  });
  expect(await daemon.call('daemon.status', {})).not.toHaveProperty('ended');

  const git = deadlyGit(daemon, 2);
  await daemon.restart(git.env);
  const [killed] = await Promise.all([daemon.cli([...all, '--yes']), daemon.exited()]);
  expect(killed.code).not.toBe(0);
  expect(branches()).toHaveLength(2);
  await daemon.start();

  const done = await daemon.cli([...all, '--yes', '--json']);
  expect(done).toMatchObject({ code: 0 });
  const after: EndOfRun[] = JSON.parse(done.stdout).runs;
  expect(after.flatMap(({ runId, goes }) => goes.map(({ what }) => [runId, what]))).toEqual([
    [runs[2], 'worktree'],
    [runs[2], 'branch'],
  ]);
  expect(after.flatMap(({ kept }) => kept.map(({ what, why }) => `${what} ${why}`))).toEqual([
    'worktree uncommitted',
    'branch only_here',
  ]);
  expect(runs.map((runId) => existsSync(pathOf(runId)))).toEqual([false, false, false, true]);
  expect(branches()).toEqual([`devflow/${open}/main`]);
  expect(git.deleted()).toEqual(runs.slice(0, 2).map((runId) => `devflow/${runId}/main`));
  const again = await daemon.cli([...all, '--yes']);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('No ended run left anything that can go.') });
  for (const runId of runs) expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true });
});
