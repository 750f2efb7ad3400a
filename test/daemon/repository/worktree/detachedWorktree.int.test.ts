import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkoutDetached, removeDetachedWorktree } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { given } from '../merge/given.ts';
import { callAndDie } from '../merge/killed.ts';

/** Two commits, and a detached worktree at the first one. */
async function givenChecked(files: Record<string, string> = {}) {
  const at = given({ '.gitignore': 'build/\n*.log\n', 'dir/in.txt': 'in\n', ...files });
  const path = join(at.runDir, 'integration');
  const next = at.commitOn('lane-1', ({ git, write }) => {
    git('rm', '-q', 'old.txt', 'dir/in.txt');
    write({ 'f.txt': 'next\n', 'made/new.txt': 'new\n', dir: 'now a file\n' });
  });
  const check = (commit: string) => checkoutDetached({ repoPath: at.repo.dir, path, commit });
  await check(at.base);
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  /** All files but those of git and devflow. */
  const names = () =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
      .filter((name) => name !== '.git' && !name.startsWith('.devflow/artifacts/'))
      .sort();
  const git = (...args: string[]) => at.repo.gitIn(path, ...args);
  const listed = (commit: string) => at.repo.git('ls-tree', '-r', '--name-only', commit).split('\n').sort();
  return { ...at, path, next, check, put, names, git, listed };
}

type Checked = Awaited<ReturnType<typeof givenChecked>>;

function expectExactly({ git, names, listed }: Checked, commit: string, more: string[] = []): void {
  expect(git('rev-parse', 'HEAD')).toBe(commit);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('diff', 'HEAD', '--stat')).toBe('');
  expect(names()).toEqual([...listed(commit), ...more].sort());
}

describe('a detached worktree', () => {
  it('keeps no file of another commit that the new one ignores', async () => {
    const at = await givenChecked();
    const tracked = at.commitOn('lane-2', ({ git, write }) => {
      write({ 'tracked.log': 'tracked\n' });
      git('add', '-f', 'tracked.log');
    });
    await at.check(tracked);
    at.put('ignored.log', 'ignored\n');
    expect(at.names()).toContain('tracked.log');
    await at.check(at.base);
    expectExactly(at, at.base, ['ignored.log']);
  });

  it('has exactly the commit, on no branch, and the refs of the repository stay', async () => {
    const at = await givenChecked();
    const refs = at.repo.git('for-each-ref');
    expectExactly(at, at.base);
    expect(() => at.git('symbolic-ref', '-q', 'HEAD')).toThrow();
    expect(await at.check(at.next)).toBe(at.path);
    expectExactly(at, at.next);
    await at.check(at.base);
    expectExactly(at, at.base);
    await at.check(at.base);
    expectExactly(at, at.base);
    expect(at.repo.git('for-each-ref')).toBe(refs);
  });

  it('loses what a check left, but not ignored files', async () => {
    const at = await givenChecked();
    at.put('f.txt', 'broken\n');
    at.put('left.txt', 'x');
    at.put('left/deep/x.txt', 'x');
    at.put('build/out.js', 'kept');
    at.put('test.log', 'kept');
    rmSync(join(at.path, 'old.txt'));
    symlinkSync('/nowhere', join(at.path, 'link'));
    at.repo.git('init', '-q', join(at.path, 'repository'));
    await at.check(at.base);
    expectExactly(at, at.base, ['build/out.js', 'test.log']);
    expect(existsSync(join(at.path, 'left'))).toBe(false);
    await at.check(at.next);
    expectExactly(at, at.next, ['build/out.js', 'test.log']);
  });

  it.each<[string, (at: Checked) => void]>([
    ['an ignored file', ({ put }) => put('made', 'ignored\n')],
    ['an ignored directory', ({ put }) => put('made/new.txt/x.log', 'x')],
    ['a link out of it', ({ path, repo }) => symlinkSync(repo.root, join(path, 'made'))],
    ['a directory instead of a file', ({ path, put }) => rmSync(join(path, 'f.txt')) ?? put('f.txt/x.log', 'x')],
    [
      'a link instead of a directory',
      ({ path, repo }) => {
        rmSync(join(path, 'dir'), { recursive: true });
        symlinkSync(repo.root, join(path, 'dir'));
      },
    ],
  ])('replaces what is in the way: %s', async (_, make) => {
    const at = await givenChecked();
    at.repo.write({ '.git/info/exclude': 'made\n' });
    make(at);
    const outside = readdirSync(at.repo.root).sort();
    await at.check(at.next);
    expectExactly(at, at.next);
    expect(readdirSync(at.repo.root).sort()).toEqual(outside);
  });

  it('is repaired after a check moved its HEAD, broke its index or its .git file', async () => {
    const at = await givenChecked();
    at.git('switch', '-q', '-c', 'wandered');
    writeFileSync(join(at.repo.dir, '.git/worktrees/integration/index.lock'), '');
    await at.check(at.base);
    expectExactly(at, at.base);
    rmSync(join(at.repo.dir, '.git/worktrees/integration/index'));
    rmSync(join(at.path, '.git'));
    await at.check(at.next);
    expectExactly(at, at.next);
  });

  it('is made again if it is gone, without keeping refs to its commits', async () => {
    const at = await givenChecked();
    rmSync(at.path, { recursive: true });
    await at.check(at.next);
    expectExactly(at, at.next);
    rmSync(join(at.repo.dir, '.git/worktrees'), { recursive: true });
    await at.check(at.base);
    expectExactly(at, at.base);
    expect(at.repo.git('for-each-ref', 'refs/devflow')).toBe('');
  });

  it('is removed with all that checks left in it', async () => {
    const at = await givenChecked();
    at.put('left.txt', 'x');
    const input = { repoPath: at.repo.dir, path: at.path };
    await removeDetachedWorktree(input);
    await removeDetachedWorktree(input);
    expect([existsSync(at.path), existsSync(`${at.path}.removing`)]).toEqual([false, false]);
    expect(at.repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(at.repo.git('for-each-ref', 'refs/devflow')).toBe('');
  });

  it('is removed also where git has lost its entry', async () => {
    const at = await givenChecked();
    rmSync(join(at.repo.dir, '.git/worktrees'), { recursive: true });
    await removeDetachedWorktree({ repoPath: at.repo.dir, path: at.path });
    expect(existsSync(at.path)).toBe(false);
  });

  it.each([
    ['worktree add', 'after'],
    ['read-tree -m -u', 'before'],
    ['worktree unlock', 'after'],
  ] as const)('is made after a kill at %s, %s', async (point, when) => {
    const at = await givenChecked();
    await removeDetachedWorktree({ repoPath: at.repo.dir, path: at.path });
    const input = { repoPath: at.repo.dir, path: at.path, commit: at.next };
    callAndDie(at, 'checkoutDetached', input, { at: point, when });
    await at.check(at.next);
    expectExactly(at, at.next);
    expect(at.repo.git('worktree', 'list').split('\n')).toHaveLength(2);
  });

  it.each([
    ['read-tree --reset', 'after'],
    ['checkout-index', 'before'],
    ['checkout-index', 'midst'],
    ['checkout-index', 'after'],
  ] as const)('has exactly the commit after a kill at %s, %s', async (point, when) => {
    const at = await givenChecked();
    const input = { repoPath: at.repo.dir, path: at.path, commit: at.next };
    const half = join(at.path, 'made/new.txt');
    callAndDie(at, 'checkoutDetached', input, { at: point, when, half, gone: join(at.path, 'f.txt') });
    await at.check(at.next);
    expectExactly(at, at.next);
  });

  it('runs no hook and no filter of the repository', async () => {
    const at = await givenChecked({ '.gitattributes': '* filter=planted\n' });
    const program = join(at.repo.root, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${at.repo.root}/ran\ncat\n`, { mode: 0o755 });
    at.repo.git('config', 'filter.planted.smudge', program);
    at.repo.git('config', 'core.fsmonitor', program);
    mkdirSync(join(at.repo.dir, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      writeFileSync(join(at.repo.dir, '.git/hooks', hook), readFileSync(program), { mode: 0o755 });
    await at.check(at.next);
    expect(readFileSync(join(at.path, 'f.txt'), 'utf8')).toBe('next\n');
    expect(existsSync(join(at.repo.root, 'ran'))).toBe(false);
  });
});
