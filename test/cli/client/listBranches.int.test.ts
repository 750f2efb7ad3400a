import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listBranches } from '../../../cli/client/listBranches.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';

it('lists the branch that is checked out first and those of runs last', async () => {
  const root = mkdtempSync(join(tmpdir(), 'devflow-branches-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { dir, git } = makeRepo(join(root, 'a repository'), isolatedEnv(join(root, 'home')));
  for (const name of ['devflow/1234/main', 'feature', 'release']) git('branch', name);
  git('tag', 'feature');
  git('checkout', '-q', 'release');
  const found = await listBranches('a repository', root);
  expect(found[0]).toBe('release');
  expect([...found].sort()).toEqual(['devflow/1234/main', 'feature', 'main', 'release']);
  expect(found.at(-1)).toBe('devflow/1234/main');
  git('checkout', '-q', '--detach');
  expect((await listBranches(dir, root)).sort()).toEqual([...found].sort());
  expect(await listBranches(root, dir)).toEqual([]);
});
