import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readStartTime } from '../../../../daemon/commands/processIdentity.ts';
import { createGit } from '../../../../daemon/repository/git/git.ts';
import { sweepTemporaryGit, withTemporaryGit } from '../../../../daemon/repository/privateGit/temporaryGit.ts';
import { scratchRepo } from '../../../helpers/repo.ts';
import { until } from '../../../helpers/until.ts';

const sourceOf = (name: string) => JSON.stringify(join(import.meta.dirname, '../../../../daemon/repository', name));
const wordsFor = (program: string) => [
  '--experimental-strip-types',
  '--no-warnings',
  '--input-type=module-typescript',
  '-e',
  program,
];

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
  const program = `
    import { createGit } from ${sourceOf('git/git.ts')};
    import { withTemporaryGit } from ${sourceOf('privateGit/temporaryGit.ts')};
    setInterval(() => {}, 1e6);
    await withTemporaryGit(${JSON.stringify(place)}, ${JSON.stringify(common)}, createGit(), () => new Promise(() => {}));`;
  const child = spawn(process.execPath, wordsFor(program), { stdio: 'inherit' });
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

it('sweeps what an older devflow left without a pid namespace in its name, once nobody changed it for a day', async () => {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  vi.stubEnv('TMPDIR', repo.root);
  onTestFinished(() => void vi.unstubAllEnvs());
  const mine = (await readStartTime(process.pid)) ?? '';
  const [old, young, running] = [
    '4194999-12-aBc123',
    '4194999-34-aBc456',
    `${process.pid}-${mine.replace(/\W/g, '_')}-aBc789`,
  ];
  const daysOld = { [old]: 2, [young]: 0.9, [running]: 2 };
  for (const [name, days] of Object.entries(daysOld)) {
    const directory = join(repo.root, `devflow-git-${name}`);
    mkdirSync(join(directory, 'devflow'), { recursive: true });
    const at = new Date(Date.now() - days * 86_400_000);
    utimesSync(directory, at, at);
  }
  await sweepTemporaryGit();
  const left = Object.keys(daysOld).filter((name) => existsSync(join(repo.root, `devflow-git-${name}`)));
  expect(left).toEqual([young, running]);
});

const IN_NAMESPACE = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = process.platform === 'linux' && spawnSync('unshare', [...IN_NAMESPACE, 'true']).status === 0;

it.skipIf(!hasNamespaces)('keeps the git directories of processes that its pid namespace does not show', async () => {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  repo.commit({ 'README.md': '# A project\n' });
  const temporary = join(repo.root, 'temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());

  const place = { repoPath: repo.dir, path: repo.dir, branch: 'main' };
  await withTemporaryGit(place, join(repo.dir, '.git'), createGit(), async ({ gitDir }) => {
    const sweep = `
      import { sweepTemporaryGit } from ${sourceOf('privateGit/temporaryGit.ts')};
      await sweepTemporaryGit();`;
    const { status } = spawnSync('unshare', [...IN_NAMESPACE, process.execPath, ...wordsFor(sweep)], {
      stdio: 'inherit',
    });
    expect(status).toBe(0);
    expect(existsSync(gitDir)).toBe(true);
  });
});
