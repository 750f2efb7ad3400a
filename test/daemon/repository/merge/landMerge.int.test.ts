import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { landMerge } from '../../../../daemon/repository/merge/landMerge.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { given, lines } from './given.ts';
import { callAndDie } from './killed.ts';

/** A worktree of main at the base, and a lane that changes, adds, moves and removes files. */
async function givenMerge() {
  const at = given({ 'gone.txt': 'gone\n', 'dir/in.txt': 'in\n' });
  const worktree = await at.open('main');
  const to = at.commitOn('lane-1', ({ git, write }) => {
    write({ 'f.txt': lines('one', '2', '3', '4', '5'), 'made/new.txt': 'new content\n' });
    git('rm', '-q', 'gone.txt', 'dir/in.txt');
    write({ dir: 'now a file\n' });
  });
  const input = { worktree, from: at.base, to, laneIds: ['lane-1'] };
  const put = (name: string, text: string) => writeFileSync(join(worktree.path, name), text);
  return { ...at, worktree, to, input, put };
}

/** Branch, files, index and HEAD are at the commit, for devflow and for an agent's git. */
async function expectAt({ repo, worktree, read, tip }: Awaited<ReturnType<typeof givenMerge>>, commit: string) {
  expect(tip('main')).toBe(commit);
  expect(repo.gitIn(worktree.path, 'status', '--porcelain')).toBe('');
  expect(repo.gitIn(worktree.path, 'rev-parse', 'HEAD')).toBe(commit);
  expect(await uncommittedFiles(worktree)).toEqual([]);
  expect(read('main', 'made/new.txt')).toBe('new content\n');
  expect(read('main', 'dir')).toBe('now a file\n');
  expect(existsSync(join(worktree.path, 'gone.txt'))).toBe(false);
}

describe('landing a merge', () => {
  it('moves the branch and the files of its worktree, and nothing of the person', async () => {
    const at = await givenMerge();
    at.repo.write({ 'f.txt': 'half-typed\n' });
    expect(await landMerge(at.input)).toEqual({ landed: true });
    await expectAt(at, at.to);
    expect(at.repo.git('reflog', '-1', '--format=%gs', at.worktree.branch)).toBe('devflow: land lane-1');
    expect(at.repo.git('rev-parse', 'main')).toBe(at.base);
    expect(at.repo.git('status', '--porcelain')).toBe('M f.txt');
    expect(await landMerge(at.input)).toEqual({ landed: true });
    expect(at.tip('main')).toBe(at.to);
  });

  it('keeps uncommitted and ignored files that the merge does not touch', async () => {
    const at = await givenMerge();
    at.put('old.txt', 'mine\n');
    at.put('untracked.txt', 'mine\n');
    at.repo.write({ '.git/info/exclude': 'build/\n' });
    mkdirSync(join(at.worktree.path, 'build'));
    at.put('build/out', 'mine\n');
    expect(await landMerge(at.input)).toEqual({ landed: true });
    expect(await uncommittedFiles(at.worktree)).toEqual(['old.txt', 'untracked.txt']);
    expect([at.read('main', 'old.txt'), at.read('main', 'build/out')]).toEqual(['mine\n', 'mine\n']);
  });

  it('has landed if the branch went on from there', async () => {
    const at = await givenMerge();
    const later = at.commitOn('main', { 'later.txt': 'x\n' }, at.to);
    expect(await landMerge(at.input)).toEqual({ landed: true });
    expect(at.tip('main')).toBe(later);
  });

  it('changes nothing if somebody else moved the branch', async () => {
    const at = await givenMerge();
    const other = at.commitOn('main', { 'other.txt': 'x\n' });
    expect(await landMerge(at.input)).toEqual({ landed: false, head: other });
    expect(at.tip('main')).toBe(other);
    expect(at.read('main', 'f.txt')).toBe(lines('1', '2', '3', '4', '5'));
  });

  it('does not move a branch of the person that the branch refers to', async () => {
    const at = await givenMerge();
    at.repo.git('symbolic-ref', `refs/heads/${at.worktree.branch}`, 'refs/heads/main');
    expect(await landMerge(at.input)).toEqual({ landed: true });
    expect(at.repo.git('rev-parse', 'main')).toBe(at.base);
    expect(at.tip('main')).toBe(at.to);
  });

  it('fails if the branch is gone', async () => {
    const at = await givenMerge();
    at.repo.git('update-ref', '-d', `refs/heads/${at.worktree.branch}`);
    await expect(landMerge(at.input)).rejects.toMatchObject({ code: 'git_failed' });
  });
});

type Merge = Awaited<ReturnType<typeof givenMerge>>;

/** What a worktree may have in the way, and the name that the refusal gives. */
const IN_THE_WAY: Record<string, [make: (at: Merge) => void, name: string]> = {
  'a changed file': [({ put }) => put('f.txt', 'mine\n'), 'f.txt'],
  'a changed file that the merge removes': [({ put }) => put('gone.txt', 'mine\n'), 'gone.txt'],
  'a removed file': [({ worktree }) => rmSync(join(worktree.path, 'f.txt')), 'f.txt'],
  'an untracked file': [
    ({ worktree, put }) => {
      mkdirSync(join(worktree.path, 'made'));
      put('made/new.txt', 'mine\n');
    },
    'made/new.txt',
  ],
  'an ignored file': [
    ({ repo, worktree, put }) => {
      repo.write({ '.git/info/exclude': 'new.txt\n' });
      mkdirSync(join(worktree.path, 'made'));
      put('made/new.txt', 'mine\n');
    },
    'made/new.txt',
  ],
  'a link to a directory': [({ repo, worktree }) => symlinkSync(repo.root, join(worktree.path, 'made')), 'made'],
  'a file in a directory that becomes a file': [({ put }) => put('dir/mine.txt', 'mine\n'), 'dir/mine.txt'],
};

describe('landing a merge refuses, and changes nothing, for', () => {
  it.each(Object.keys(IN_THE_WAY))('%s', async (what) => {
    const at = await givenMerge();
    const [make, name] = IN_THE_WAY[what] as (typeof IN_THE_WAY)[string];
    make(at);
    const before = await uncommittedFiles(at.worktree);
    await expect(landMerge(at.input)).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining(`would be lost in ${name}`),
    });
    expect(at.tip('main')).toBe(at.base);
    expect(await uncommittedFiles(at.worktree)).toEqual(before);
    expect(existsSync(join(at.repo.root, 'new.txt'))).toBe(false);
  });
});

describe('a landing whose daemon was killed is finished by the next one', () => {
  it.each([
    ['update-ref', 'before'],
    ['update-ref', 'after'],
    ['read-tree -m -u', 'before'],
    ['read-tree -m -u', 'midst'],
    ['read-tree -m -u', 'after'],
  ] as const)('killed at %s, %s', async (point, when) => {
    const at = await givenMerge();
    const { path } = at.worktree;
    const files = { half: join(path, 'f.txt'), gone: join(path, 'made/new.txt') };
    callAndDie(at, 'landMerge', at.input, { at: point, when, ...files });
    expect(await landMerge(at.input)).toEqual({ landed: true });
    await expectAt(at, at.to);
  });

  it('also after something else read the state of the worktree', async () => {
    const at = await givenMerge();
    callAndDie(at, 'landMerge', at.input, { at: 'update-ref', when: 'after' });
    // This brings the index to the branch, while the files are still those of the base.
    expect(await uncommittedFiles(at.worktree)).toContain('f.txt');
    expect(await landMerge(at.input)).toEqual({ landed: true });
    await expectAt(at, at.to);
  });

  it('but not over what somebody wrote since', async () => {
    const at = await givenMerge();
    callAndDie(at, 'landMerge', at.input, { at: 'update-ref', when: 'after' });
    at.put('f.txt', 'mine\n');
    await expect(landMerge(at.input)).rejects.toMatchObject({ message: expect.stringContaining('lost in f.txt') });
    expect(at.read('main', 'f.txt')).toBe('mine\n');
    rmSync(join(at.worktree.path, 'f.txt'));
    expect(await landMerge(at.input)).toEqual({ landed: true });
    await expectAt(at, at.to);
  });

  it('and a lost race leaves nothing of it', async () => {
    const at = await givenMerge();
    callAndDie(at, 'landMerge', at.input, { at: 'update-ref', when: 'before' });
    const other = at.commitOn('main', { 'other.txt': 'x\n' });
    at.put('f.txt', 'mine\n');
    expect(await landMerge(at.input)).toEqual({ landed: false, head: other });
    expect(at.read('main', 'f.txt')).toBe('mine\n');
  });
});

describe('landing a merge runs nothing of the repository', () => {
  it('no hook, filter or merge driver, and takes line ends as the repository says', async () => {
    const at = given({ '.gitattributes': '*.crlf text eol=crlf\n* filter=planted\n' });
    const { repo } = at;
    const program = join(repo.root, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${repo.root}/ran\ncat\n`, { mode: 0o755 });
    mkdirSync(join(repo.dir, '.git/hooks'), { recursive: true });
    for (const hook of ['reference-transaction', 'post-checkout', 'post-merge', 'post-index-change'])
      writeFileSync(join(repo.dir, '.git/hooks', hook), `#!/bin/sh\ntouch ${repo.root}/ran\n`, { mode: 0o755 });
    const worktree = await at.open('main');
    const to = at.commitOn('lane-1', { 'a.crlf': 'a\n', 'f.txt': 'x\n' });
    rmSync(join(repo.root, 'ran'), { force: true });
    repo.git('config', 'filter.planted.smudge', program);
    repo.git('config', 'filter.planted.clean', program);
    repo.git('config', 'core.fsmonitor', program);
    expect(await landMerge({ worktree, from: at.base, to, laneIds: ['lane-1'] })).toEqual({ landed: true });
    expect([at.read('main', 'a.crlf'), at.read('main', 'f.txt')]).toEqual(['a\r\n', 'x\n']);
    expect(await uncommittedFiles(worktree)).toEqual([]);
    expect(existsSync(join(repo.root, 'ran'))).toBe(false);
  });

  it('and leaves a sparse checkout sparse', async () => {
    const at = given({ 'kept/a.txt': 'a\n', 'left/b.txt': 'b\n' });
    const { repo } = at;
    repo.git('sparse-checkout', 'set', 'kept');
    const worktree = await at.open('main');
    repo.git('sparse-checkout', 'disable');
    const to = at.commitOn('lane-1', { 'kept/a.txt': 'new\n', 'left/b.txt': 'new\n', 'left/c.txt': 'c\n' });
    repo.git('sparse-checkout', 'set', 'kept');
    expect(existsSync(join(worktree.path, 'left'))).toBe(false);
    expect(await landMerge({ worktree, from: at.base, to, laneIds: ['lane-1'] })).toEqual({ landed: true });
    expect(at.read('main', 'kept/a.txt')).toBe('new\n');
    expect(existsSync(join(worktree.path, 'left'))).toBe(false);
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });
});
