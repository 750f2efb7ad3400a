import { expect, it } from 'vitest';
import { openPrivateGit } from '../../../../daemon/harness/privateGit/privateGit.ts';
import { readCommits } from '../../../../daemon/harness/review/readCommits.ts';
import { given } from '../merge/given.ts';

it('reads the newest commits with their whole messages, and counts all', async () => {
  const at = given();
  const first = at.commitOn('one', { 'a.txt': 'a\n' });
  const second = at.commitOn(
    'one',
    ({ git, write }) => {
      write({ 'a.txt': 'b\n' });
      git('add', '-A');
      git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', `Second\n\nWhy: ${'é'.repeat(600)}`);
    },
    first,
  );
  const head = at.commitOn('one', { 'a.txt': 'c\n' }, second);
  const privateGit = await openPrivateGit(await at.open('main'));
  const { commits, total } = await readCommits(privateGit, at.base, head, 10);
  expect(total).toBeGreaterThan(2);
  expect(commits.at(0)).toEqual({ id: head, text: 'one' });
  expect(commits.at(-1)).toEqual({ id: first, text: 'one' });
  const long = commits.find(({ text }) => text.startsWith('Second'))?.text ?? '';
  expect([[...long].length, long.endsWith('é…')]).toEqual([501, true]);
  const cut = await readCommits(privateGit, at.base, head, 1);
  expect([cut.commits.length, cut.total]).toEqual([1, total]);
});

it('leaves out the commit that devflow makes of uncommitted files', async () => {
  const at = given();
  const identity = ['-c', 'user.name=devflow', '-c', 'user.email=devflow@localhost'];
  const head = at.commitOn('one', ({ git }) => {
    git(...identity, 'commit', '--allow-empty', '-qm', 'Staged changes');
  });
  const parent = at.repo.git('rev-parse', `${head}^`);
  const devflows = at.repo.git('log', '-1', '--format=%ae', head) === 'devflow@localhost' ? head : parent;
  const privateGit = await openPrivateGit(await at.open('main'));
  const { commits } = await readCommits(privateGit, at.base, devflows, 10);
  expect(commits).toEqual([]);
});
