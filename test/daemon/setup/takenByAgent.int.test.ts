import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openPrivateGit } from '../../../daemon/repository/privateGit/privateGit.ts';
import { cleanupWorktree } from '../../../daemon/repository/worktree/cleanupWorktree.ts';
import { commitAndList } from '../../../daemon/repository/worktree/commitWork.ts';
import { leaveOutTaken } from '../../../daemon/repository/worktree/leaveOutTaken.ts';
import { readStatus } from '../../../daemon/repository/worktree/worktreeStatus.ts';
import { givenSetup } from './given.ts';

/** A worktree with a copied file, and an agent that commits there. */
async function givenAgent() {
  const at = await givenSetup({ '.env': 'API_TOKEN=tok-9f8e7d6c5b4a\n' }, { 'a.ts': 'a' });
  await at.setUp({ copy: ['.env'] });
  const git = (...args: string[]) => at.repo.gitIn(at.privateGit.path, ...args);
  const commit = (subject: string) => git('-c', 'user.name=a', '-c', 'user.email=a@a', 'commit', '-qm', subject);
  const trailers = { run: 'r', phase: 'p', attempt: 1 };
  const { branch } = at.privateGit;
  return {
    ...at,
    git,
    put: (name: string, text: string) => writeFileSync(at.path(name), text),
    take: (...paths: string[]) => {
      git('add', '-f', ...paths);
      commit(`Takes ${paths.join(' ')}`);
    },
    drop: (path: string) => {
      git('rm', '-q', '--cached', path);
      commit(`Drops ${path}`);
    },
    end: async () => {
      const worktree = at.place('main');
      return (await commitAndList({ worktree, subject: 'Work', since: at.base, trailers })).work;
    },
    stop: () => leaveOutTaken(at.place('main'), at.base, { subject: 'Stopped', trailers }),
    remove: () => cleanupWorktree({ ...at.place('main'), runDir: dirname(at.privateGit.path), laneId: 'main' }),
    isClean: async () => (await readStatus(await openPrivateGit(at.place('main')))).files.length === 0,
    files: () => at.repo.git('ls-tree', '-r', '--name-only', branch).split('\n'),
    subjects: () => at.repo.git('log', '--format=%s', `${at.base}..${branch}`).split('\n').filter(Boolean),
    everIn: () => at.repo.git('log', '--format=', '--name-only', `${at.base}..${branch}`),
  };
}

test('a copied file that an agent commits is in no commit of the branch', async () => {
  const at = await givenAgent();
  at.put('a.ts', 'b');
  at.take('.env', 'a.ts');
  const work = await at.end();
  expect(work).toMatchObject({ files: 1, leftOut: ['.env'] });
  expect(at.subjects()).toEqual(['Work']);
  expect(at.everIn()).toBe('a.ts');
  expect(at.text('.env')).toContain('API_TOKEN');
  expect(at.git('status', '--porcelain')).toBe('');
  expect(await at.isClean()).toBe(true);
  expect((await at.end()).commit).toBe(work.commit);
});

test('nor one that it takes out again, or commits with further changes in the worktree', async () => {
  const at = await givenAgent();
  at.take('.env');
  at.drop('.env');
  at.put('new.ts', 'n');
  expect(await at.end()).toMatchObject({ files: 1, leftOut: ['.env'] });
  expect(at.everIn()).toBe('new.ts');
});

test('nor in a ref, once the worktree is removed', async () => {
  const at = await givenAgent();
  at.put('a.ts', 'b');
  at.take('.env', 'a.ts');
  await at.end();
  at.git('checkout', '-q', '--detach');
  at.put('kept.ts', 'k');
  at.take('kept.ts');
  at.git('checkout', '-q', at.privateGit.branch);
  const { keptRefs = [] } = await at.remove();
  expect(keptRefs).toHaveLength(1);
  expect(at.repo.git('log', '--all', '--format=', '--name-only')).not.toContain('.env');
});

test('nor one on a branch of its own', async () => {
  const at = await givenAgent();
  at.git('checkout', '-q', '--detach');
  at.put('a.ts', 'b');
  at.take('.env', 'a.ts');
  expect(await at.end()).toMatchObject({ files: 1, leftOut: ['.env'] });
  expect(at.everIn()).toBe('a.ts');
});

test('an agent that commits only a copied file did nothing', async () => {
  const at = await givenAgent();
  at.take('.env');
  expect(await at.end()).toMatchObject({ commit: null, leftOut: ['.env'] });
  expect(at.subjects()).toEqual([]);
  expect(await at.end()).toMatchObject({ commit: null });
});

test('commits without such files stay as they are', async () => {
  const at = await givenAgent();
  at.put('a.ts', 'b');
  at.take('a.ts');
  expect(await at.end()).not.toHaveProperty('leftOut');
  expect(at.subjects()).toEqual(['Work', 'Takes a.ts']);
});

test('a branch whose agent was stopped loses them, and keeps the rest and the files', async () => {
  const at = await givenAgent();
  at.put('a.ts', 'b');
  at.take('.env', 'a.ts');
  at.put('new.ts', 'n');
  expect(await at.stop()).toEqual(['.env']);
  expect(at.subjects()).toEqual(['Stopped']);
  expect(at.everIn()).toBe('a.ts');
  expect(at.text('.env')).toContain('API_TOKEN');
  expect(at.git('status', '--porcelain')).toBe('?? new.ts');
  expect(await at.stop()).toEqual([]);
  expect(at.subjects()).toEqual(['Stopped']);
});

test('a branch that has nothing else goes back', async () => {
  const at = await givenAgent();
  at.take('.env');
  expect(await at.stop()).toEqual(['.env']);
  expect(at.subjects()).toEqual([]);
  expect(at.git('status', '--porcelain')).toBe('');
});
