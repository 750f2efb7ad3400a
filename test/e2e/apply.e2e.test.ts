import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';
import { seatRobot } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';
import { proveEnd } from './support.ts';

async function completedRun(daemon: TestDaemon, repo: string): Promise<string> {
  const request = { repo, template: 'quick-change@1', backend: { implementer: 'fake' } as const };
  const runId = await startRun(daemon, { ...request, requirements: '# Greet by name\n' });
  await drive(daemon, runId);
  await ended(daemon, runId);
  return runId;
}

test('reviews and applies the work of runs, at a shell and in the dashboard', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  const desk = deskFor(daemon);
  const base = repo.git('rev-parse', 'main');
  const first = await completedRun(daemon, repo.dir);
  const id = first.slice(0, 8);

  const robot = seatRobot(desk, 'shell', { columns: 240, rows: 40 });
  const say = (line: string) => {
    robot.type(`clear; ${line}`);
    robot.press('Enter');
  };
  const devflow = desk.devflow;
  say(`${devflow} run report ${id} | head -12`);
  await robot.sees(`Apply it with devflow run apply ${id}`);
  say(`${devflow} run show ${id} | head -14`);
  await robot.sees(`devflow run diff ${id}`);
  say(`PAGER='sed s/^/PAGED/' ${devflow} run diff ${id}`);
  await robot.sees('PAGED+# implement');
  say(`${devflow} run diff ${id} --stat --no-pager`);
  await robot.sees('1 file changed');

  say(`${devflow} run apply ${id}`);
  await robot.sees('Apply? [y/N]');
  expect(robot.screen().join('\n')).toMatch(
    new RegExp(`repository +${repo.dir}[^]*branch +main, now at[^]*1 commit, 1 file`),
  );
  robot.press('n', 'Enter');
  await robot.sees('Nothing is changed.');
  say(`${devflow} run apply ${id}`);
  await robot.loses('Nothing is changed.');
  await robot.sees('Apply? [y/N]');
  robot.press('C-c');
  await robot.sees('Nothing is changed.');
  say(`${devflow} run apply ${id} </dev/null; echo "code $?"`);
  await robot.sees('code 2');
  expect(robot.screen().join(' ')).toMatch(/there is no terminal to ask on \[usage\]/);
  expect(repo.git('rev-parse', 'main')).toBe(base);
  say(`${devflow} run apply ${id}`);
  await robot.sees('Apply? [y/N]');
  robot.press('y', 'Enter');
  await robot.sees('main is now at');
  const applied = repo.git('rev-parse', 'main');
  expect(applied).toBe(repo.git('rev-parse', `devflow/${first}/main`));
  expect(repo.git('status', '--porcelain')).toBe('');
  await daemon.call('run.cleanup', { runId: first, force: false });
  say(`${devflow} run diff ${id} --name-only --no-pager; ${devflow} run report ${id} | grep -A3 'Needs attention'`);
  await robot.sees('Nothing.');

  const second = await completedRun(daemon, repo.dir);
  say(`exec ${devflow} tui`);
  await robot.sees(second.slice(0, 8));
  robot.press('D');
  await robot.sees('[Changes]');
  await robot.sees('diff --git');
  robot.press('M');
  await robot.sees('fast-forward');
  robot.type('squash');
  robot.press('Enter');
  await robot.sees('Add the work to main as one commit, "Greet by name".');
  robot.press('n');
  await robot.loses('Add the work to main');
  expect(repo.git('rev-parse', 'main')).toBe(applied);
  robot.press('M');
  await robot.sees('fast-forward');
  robot.type('squash');
  robot.press('Enter');
  await robot.sees('y apply');
  robot.press('y');
  await robot.sees('main is now at');
  expect(repo.git('log', '-1', '--format=%P %s')).toBe(`${applied} Greet by name`);
  expect(repo.git('status', '--porcelain')).toBe('');
  robot.press('q');
  for (const runId of [first, second]) await proveEnd(daemon, runId, 'completed');

  const { worktreeRoot } = await daemon.call('run.get', { runId: second });
  writeFileSync(join(worktreeRoot, 'late.txt'), 'late\n');
  repo.git('-C', worktreeRoot, 'add', 'late.txt');
  repo.git('-C', worktreeRoot, 'commit', '-qm', 'Slip in');
  const [late, now] = ['HEAD', 'main'].map((name) =>
    repo.git('-C', name === 'main' ? repo.dir : worktreeRoot, 'rev-parse', name),
  );
  const refused = await daemon.cli(['run', 'apply', second, '--yes']);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('[branch_moved]') });
  expect(refused.stderr).toContain(`--head ${late?.slice(0, 12)}`);
  expect(repo.git('rev-parse', 'main')).toBe(now);
  const at = /--at (\w+)/.exec(refused.stderr)?.[1] ?? '';
  expect((await daemon.cli(['run', 'apply', second, '--yes', '--at', at])).stdout).toContain('Nothing to apply');
  expect(await daemon.cli(['run', 'apply', second, '--yes', '--head', late?.slice(0, 12) ?? ''])).toMatchObject({
    code: 0,
  });
  expect(repo.git('ls-tree', '--name-only', 'main')).toContain('late.txt');
});
