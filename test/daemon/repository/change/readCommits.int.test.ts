import { expect, it } from 'vitest';
import { readCommits } from '../../../../daemon/repository/change/readBrief.ts';
import { openPrivateGit } from '../../../../daemon/repository/privateGit/privateGit.ts';
import { given } from '../merge/given.ts';

it('reads the newest commits with their whole messages, and counts all', async () => {
  const at = given();
  const first = at.commitOn('one', { 'a.txt': 'a\n' });
  const message = `Second\n\nWhy: ${'é'.repeat(600)}`;
  // `commitOn` adds a commit of its own.
  const second = at.commitOn('one', ({ commit }) => commit({ 'a.txt': 'b\n' }, message), first);
  const head = at.commitOn('one', { 'a.txt': 'c\n' }, second);
  const privateGit = await openPrivateGit(await at.open('main'));
  const { commits, total } = await readCommits(privateGit, at.base, head, 10);
  expect(total).toBe(4);
  expect(commits.map(({ id, text }) => [id, text.slice(0, 6)])).toEqual([
    [head, 'one'],
    [second, 'one'],
    [at.repo.git('rev-parse', `${second}^`), 'Second'],
    [first, 'one'],
  ]);
  const long = commits[2]?.text ?? '';
  expect([[...long].length, long.endsWith('é…')]).toEqual([501, true]);
  const cut = await readCommits(privateGit, at.base, head, 1);
  expect([cut.commits.length, cut.total]).toEqual([1, 4]);
});

it('leaves out the commit that devflow makes of uncommitted files', async () => {
  const at = given();
  const identity = ['-c', 'user.name=devflow', '-c', 'user.email=devflow@localhost'];
  const head = at.repo.git(...identity, 'commit-tree', `${at.base}^{tree}`, '-p', at.base, '-m', 'Staged changes');
  const privateGit = await openPrivateGit(await at.open('main'));
  expect(await readCommits(privateGit, at.base, head, 10)).toEqual({ commits: [], total: 0 });
});
