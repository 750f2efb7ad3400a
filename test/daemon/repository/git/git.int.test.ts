import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGit } from '../../../../daemon/repository/git/git.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

function given(options?: Parameters<typeof scratchRepo>[0]) {
  const repo = scratchRepo(options);
  onTestFinished(repo.cleanup);
  return { repo, git: createGit({ runId: 'r1' }) };
}

describe('inspectRepository', () => {
  it('finds the top level through a link and from a directory inside', async () => {
    const { repo, git } = given();
    repo.git('branch', 'other');
    const link = join(repo.root, 'link');
    symlinkSync(repo.dir, link);
    const facts = await git.inspectRepository(join(link, 'src'));
    expect(facts).toEqual({
      repoPath: realpathSync(repo.dir),
      bare: false,
      branches: ['main', 'other'],
      headBranch: 'main',
    });
  });

  it('ignores the environment of a git hook', async () => {
    const { repo, git } = given();
    process.env.GIT_DIR = '/nowhere';
    process.env.GIT_INDEX_FILE = '/nowhere/index';
    onTestFinished(() => {
      delete process.env.GIT_DIR;
      delete process.env.GIT_INDEX_FILE;
    });
    expect((await git.inspectRepository(repo.dir)).repoPath).toBe(repo.dir);
  });

  it('says how to use a bare repository, with its worktrees', async () => {
    const { repo, git } = given();
    const project = join(repo.root, 'project');
    mkdirSync(project);
    repo.git('clone', '-q', '--bare', repo.dir, join(project, '.bare'));
    writeFileSync(join(project, '.git'), 'gitdir: ./.bare\n');
    await expect(git.inspectRepository(project)).rejects.toMatchObject({
      code: 'repo_invalid',
      recoveryHint: `Give one of its worktrees instead (git -C ${project} worktree list).`,
    });
  });

  it('says how to trust a repository of another owner', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root may give a directory away');
    const { repo, git } = given();
    const other = join(repo.root, "another's");
    repo.git('clone', '-q', repo.dir, other);
    execFileSync('chown', ['-R', '65534:65534', other]);
    await expect(git.inspectRepository(other)).rejects.toMatchObject({
      code: 'repo_invalid',
      message: `git does not trust ${other}, because it belongs to another user.`,
      recoveryHint: `If you trust it, allow it (git config --global --add safe.directory '${other.replace("'", "'\\''")}'), then try again.`,
    });
    repo.git('config', '--global', '--add', 'safe.directory', other);
    expect(await git.inspectRepository(other)).toMatchObject({ repoPath: other, headBranch: 'main' });
  });

  it('names the fault in one sentence', async () => {
    const { repo, git } = given({ empty: true });
    const bare = join(repo.root, 'bare.git');
    repo.git('init', '-q', '--bare', bare);
    const plain = join(repo.root, 'plain');
    mkdirSync(plain);
    const file = join(repo.root, 'file');
    writeFileSync(file, '');
    const wrong = (dir: string) => git.inspectRepository(dir).then(undefined, (error) => [error.code, error.message]);
    const missing = join(repo.root, 'missing');
    expect(await wrong(missing)).toEqual(['repo_invalid', `The directory ${missing} does not exist.`]);
    expect(await wrong(file)).toEqual(['repo_invalid', `${file} is a file, not a directory.`]);
    expect(await wrong(plain)).toEqual(['repo_invalid', `${plain} is not in a git repository.`]);
    expect(await wrong(bare)).toEqual(['repo_invalid', `${bare} is a bare repository; devflow needs a checkout.`]);
    expect(await wrong(repo.dir)).toEqual(['repo_invalid', `${repo.dir} has no commits yet.`]);
    const inside = join(repo.dir, '.git');
    expect(await wrong(inside)).toEqual(['repo_invalid', `${inside} is inside a .git directory, not a checkout.`]);
  });
});

describe('resolveBranch', () => {
  it('takes the branch that is checked out, or the one that is named', async () => {
    const { repo, git } = given();
    const first = repo.git('rev-parse', 'HEAD');
    repo.git('branch', 'fix/token');
    const second = repo.commit({ b: 'b' });
    expect(await git.resolveBranch(repo.dir)).toEqual({ branch: 'main', commit: second });
    expect(await git.resolveBranch(repo.dir, 'fix/token')).toEqual({ branch: 'fix/token', commit: first });
  });

  it('refuses a missing branch and a detached HEAD', async () => {
    const { repo, git } = given();
    await expect(git.resolveBranch(repo.dir, 'nope')).rejects.toMatchObject({ code: 'branch_missing' });
    await expect(git.resolveBranch(repo.dir, '--help')).rejects.toMatchObject({ code: 'branch_missing' });
    repo.git('checkout', '-q', '--detach');
    await expect(git.resolveBranch(repo.dir)).rejects.toMatchObject({
      code: 'branch_missing',
      recoveryHint: expect.stringContaining('--base'),
    });
  });
});

describe('run', () => {
  it("gives git's own sentence, the run and the argv", async () => {
    const { repo, git } = given();
    await expect(git.run(repo.dir, ['checkout', 'nope'])).rejects.toMatchObject({
      code: 'git_failed',
      runId: 'r1',
      message: expect.stringContaining("pathspec 'nope' did not match"),
      data: { argv: ['git', 'checkout', 'nope'], exitCode: 1 },
    });
    await expect(git.run(join(repo.root, 'gone'), ['status'])).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('does not exist'),
    });
  });

  it('never runs what the policy refuses', async () => {
    const { repo, git } = given();
    repo.write({ 'README.md': 'changed' });
    await expect(git.run(repo.dir, ['reset', '--hard'])).rejects.toMatchObject({ code: 'destructive_command_blocked' });
    expect(repo.git('status', '--short')).toBe('M README.md');
  });
});
