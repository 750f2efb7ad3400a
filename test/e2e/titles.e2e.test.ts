import { expect, test } from 'vitest';
import { shareDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { proveEnd } from './support.ts';

const shared = shareDaemon();

const isGate = ({ type }: { type: string }) => type === 'approval.requested';
const nobody = () => undefined;

async function json(daemon: TestDaemon, ...words: string[]) {
  const { stdout } = await daemon.cli([...words, '--json']);
  return JSON.parse(stdout);
}

test("an agent's title takes the place of the first line, commits are named by what it did, and every list has both", async () => {
  const daemon = shared();
  const repo = daemon.repo();
  const other = daemon.repo();
  const runId = await startRun(daemon, { repo: repo.dir, requirements: '# Say hello\n\nBe polite, 100 %.' });
  const mine = await startRun(daemon, { repo: other.dir, requirements: 'Be polite.', title: 'Mine #[fg=red]' });
  expect(await json(daemon, 'run', 'list', '--repo', repo.dir)).toMatchObject([{ runId }]);
  await drive(daemon, runId, { decide: nobody, stopAt: isGate });
  await drive(daemon, mine, { decide: nobody, stopAt: isGate });

  const named = [
    [repo, runId, 'Greet by name'],
    [other, mine, 'Mine #[fg=red]'],
  ] as const;
  for (const [{ dir }, id, title] of named) {
    expect(await json(daemon, 'run', 'list', '--repo', dir)).toMatchObject([{ runId: id, title }]);
    expect(await json(daemon, 'approval', 'list', '--repo', dir)).toMatchObject([{ runId: id, runTitle: title }]);
    expect(await json(daemon, 'session', 'list', '--repo', dir)).toMatchObject([{ runId: id, runTitle: title }]);
    expect(await json(daemon, 'run', 'show', id)).toMatchObject({ title });
    expect(await json(daemon, 'run', 'report', id)).toMatchObject({ title });
  }
  const both = await json(daemon, 'run', 'list', '--search', 'polite BE');
  expect(both.map((run: { runId: string }) => run.runId)).toEqual([mine, runId]);
  expect(await json(daemon, 'run', 'list', '--search', '100 %')).toMatchObject([{ runId }]);
  expect(await json(daemon, 'approval', 'list', '--search', 'mine')).toMatchObject([{ runId: mine }]);
  const nothing = await daemon.cli(['session', 'list', '--search', '%%', '--repo', repo.dir]);
  expect(nothing.stdout).toMatch(/^No session belongs to the repository of .+, and has "%%" in the title/);
  const table = (await daemon.cli(['run', 'list'])).stdout;
  expect(table).toMatch(/^RUN +STATE +TITLE +/);
  expect(table).toContain('  Mine #[fg=red]  ');

  await drive(daemon, runId);
  const { run, report } = await proveEnd(daemon, runId, 'completed');
  const subject = 'The greeting uses the first argument; without one it is as before';
  expect(repo.git('log', '--format=%s', `main..${run.branch}`)).toBe(subject);
  expect(report).toMatchObject({ title: 'Greet by name' });
  repo.write({ 'meanwhile.txt': 'x\n' });
  repo.git('add', '.');
  repo.git('commit', '-qm', 'Meanwhile');
  await daemon.call('run.apply', { runId, way: 'squash' });
  expect(repo.git('log', '-1', '--format=%B').trim()).toBe(`Greet by name\n\n${subject}.\n\nDevflow-Run: ${runId}`);
});

test('refuses a title that is no title, and a search that a database cannot have', async () => {
  const daemon = shared();
  const start = (title: string) =>
    daemon.cli(['run', 'start', '-m', 'x', '--title', title, '--template', 'quick-change@1'], {
      cwd: daemon.repo().dir,
    });
  for (const title of ['', ' ', 'x'.repeat(73), 'a\nb']) expect(await start(title)).toMatchObject({ code: 2 });
  await expect(daemon.call('run.list', { search: 'a\0b' })).rejects.toMatchObject({ code: 'usage' });
  expect((await daemon.cli(['run', 'list', '--search', ''])).code).toBe(2);
});
