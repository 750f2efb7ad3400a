import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGit } from '../../../../daemon/repository/git/git.ts';
import { sweepTemporaryGit, withTemporaryGit } from '../../../../daemon/repository/privateGit/temporaryGit.ts';
import { scratchRepo } from '../../../helpers/repo.ts';
import { until } from '../../../helpers/until.ts';

it('sweeps the git directories of processes that were killed, and of no other', async () => {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  repo.commit({ 'README.md': '# A project\n' });
  const temporary = join(repo.root, 'temporary');
  mkdirSync(join(temporary, 'devflow-git-theirs'), { recursive: true });
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const left = () => readdirSync(temporary).filter((name) => name !== 'devflow-git-theirs');

  const place = { repoPath: repo.dir, path: repo.dir, branch: 'main' };
  const common = join(repo.dir, '.git');
  const source = (name: string) => JSON.stringify(join(import.meta.dirname, '../../../../daemon/repository', name));
  const program = `
    import { createGit } from ${source('git/git.ts')};
    import { withTemporaryGit } from ${source('privateGit/temporaryGit.ts')};
    setInterval(() => {}, 1e6);
    await withTemporaryGit(${JSON.stringify(place)}, ${JSON.stringify(common)}, createGit(), () => new Promise(() => {}));`;
  const words = ['--experimental-strip-types', '--no-warnings', '--input-type=module-typescript', '-e', program];
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  await until('one is lent', () => left().length === 1);
  await withTemporaryGit(place, common, createGit(), async (privateGit) => {
    await sweepTemporaryGit();
    expect(left()).toHaveLength(2);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    await sweepTemporaryGit();
    expect(left().map((name) => join(temporary, name, 'devflow'))).toEqual([privateGit.gitDir]);
  });
  expect(left()).toEqual([]);
  expect(repo.git('status', '--porcelain')).toBe('');
});
