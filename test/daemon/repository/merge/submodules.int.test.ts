import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { landMerge } from '../../../../daemon/repository/merge/landMerge.ts';
import { checkoutDetached } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { given } from './given.ts';
import { callAndDie } from './killed.ts';

/** A repository with the cloned submodule `libs/sub`, and lanes that give it another commit, or remove it. */
async function givenSubmodule() {
  const at = given();
  const { repo } = at;
  const { root, git, gitIn } = repo;
  appendFileSync(join(root, 'home', '.gitconfig'), '[user]\n\tname = Test\n\temail = test@localhost\n');
  const source = join(root, 'source');
  mkdirSync(source);
  gitIn(source, 'init', '-q');
  const commitSource = (text: string) => {
    writeFileSync(join(source, 'sub.txt'), text);
    gitIn(source, 'add', '-A');
    gitIn(source, 'commit', '-qm', text);
    return gitIn(source, 'rev-parse', 'HEAD');
  };
  commitSource('first\n');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'libs/sub');
  git('commit', '-qm', 'Submodule');
  const base = git('rev-parse', 'HEAD');
  const second = commitSource('second\n');
  gitIn(join(repo.dir, 'libs/sub'), '-c', 'protocol.file.allow=always', 'fetch', '-q', source, 'HEAD');
  const changed = git('commit-tree', '-p', base, '-m', 'changed', treeWith(`160000 commit ${second}\tsub`));
  const removed = git('commit-tree', '-p', base, '-m', 'removed', treeWith(undefined));
  function treeWith(entry: string | undefined): string {
    const index = join(root, 'index');
    const env = ['-c', 'core.bare=false'];
    const run = (...args: string[]) => {
      process.env.GIT_INDEX_FILE = index;
      try {
        return git(...env, ...args);
      } finally {
        delete process.env.GIT_INDEX_FILE;
      }
    };
    run('read-tree', base);
    if (entry) run('update-index', '--cacheinfo', `160000,${second},libs/sub`);
    else run('rm', '-q', '--cached', 'libs/sub', '.gitmodules');
    return run('write-tree');
  }
  const worktree = at.place('main');
  git('branch', worktree.branch, base);
  await at.open('main');
  const integration = join(at.runDir, 'integration');
  const land = (to: string) => ({ worktree, from: base, to, laneIds: ['lane-1'] });
  const check = (commit: string) => checkoutDetached({ repoPath: repo.dir, path: integration, commit });
  const textIn = (path: string) => readFileSync(join(path, 'libs/sub/sub.txt'), 'utf8');
  return { ...at, base, second, changed, removed, worktree, integration, land, check, textIn };
}

describe('submodules follow', () => {
  it('a landed merge', async () => {
    const { repo, worktree, changed, removed, land, textIn, second } = await givenSubmodule();
    const { path } = worktree;
    expect(textIn(path)).toBe('first\n');
    expect(await landMerge(land(changed))).toEqual({ landed: true });
    expect(textIn(path)).toBe('second\n');
    expect(repo.gitIn(join(path, 'libs/sub'), 'rev-parse', 'HEAD')).toBe(second);
    expect(repo.gitIn(path, 'status', '--porcelain')).toBe('');
    expect(await uncommittedFiles(worktree)).toEqual([]);
    const gone = repo.git('commit-tree', '-p', changed, '-m', 'removed', `${removed}^{tree}`);
    expect(await landMerge({ ...land(gone), from: changed })).toEqual({ landed: true });
    expect(existsSync(join(path, 'libs'))).toBe(false);
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });

  it('the commit under test, without what earlier checks left in them', async () => {
    const { base, changed, removed, check, integration, textIn, repo } = await givenSubmodule();
    for (const [commit, text] of [
      [base, 'first\n'],
      [changed, 'second\n'],
      [base, 'first\n'],
    ] as const) {
      await check(commit);
      expect(textIn(integration)).toBe(text);
      expect(repo.gitIn(integration, 'status', '--porcelain')).toBe('');
      writeFileSync(join(integration, 'libs/sub/sub.txt'), 'broken\n');
      writeFileSync(join(integration, 'libs/sub/left.txt'), 'x\n');
      await check(commit);
      expect(readdirSync(join(integration, 'libs/sub')).sort()).toEqual(['.git', 'sub.txt']);
      expect(textIn(integration)).toBe(text);
    }
    await check(removed);
    expect(existsSync(join(integration, 'libs'))).toBe(false);
    await check(base);
    expect(textIn(integration)).toBe('first\n');
  });

  it('after a kill while they were filled', async () => {
    const at = await givenSubmodule();
    callAndDie(at, 'landMerge', at.land(at.changed), { at: 'read-tree -m -u HEAD', when: 'before' });
    expect(await landMerge(at.land(at.changed))).toEqual({ landed: true });
    expect(at.textIn(at.worktree.path)).toBe('second\n');
    expect(await uncommittedFiles(at.worktree)).toEqual([]);
  });
});

describe('a submodule that somebody changed in the worktree', () => {
  it('stays, and the landing is refused if it changes the submodule', async () => {
    const { repo, base, worktree, changed, land, textIn, tip } = await givenSubmodule();
    writeFileSync(join(worktree.path, 'libs/sub/sub.txt'), 'mine\n');
    await expect(landMerge(land(changed))).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('would be lost in libs/sub/'),
    });
    expect(tip('main')).toBe(base);
    const index = repo.git('commit-tree', '-p', base, '-m', 'same', `${base}^{tree}`);
    expect(await landMerge(land(index))).toEqual({ landed: true });
    expect(textIn(worktree.path)).toBe('mine\n');
  });
});
