import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScratchRepo } from '../../../helpers/repo.ts';
import { given, stateOf } from './given.ts';

type Do = (repo: ScratchRepo) => void;

/** Ways to make a checkout that cannot take the work, and what the refusal says. */
const UNREADY: [name: string, make: Do, said: RegExp, work?: Do][] = [
  ['a changed file', (it) => it.write({ 'README.md': 'mine\n' }), /1 uncommitted file: README\.md/],
  [
    'a staged file',
    (it) => {
      it.write({ 'mine.txt': 'x' });
      it.git('add', 'mine.txt');
    },
    /uncommitted file: mine\.txt/,
  ],
  ['a deleted file', (it) => rmSync(join(it.dir, 'README.md')), /uncommitted file: README\.md/],
  [
    'an untracked file in the way',
    (it) => it.write({ 'new.txt': 'mine\n' }),
    /Untracked files are in the way in .*: new\.txt/,
  ],
  [
    'an ignored file in the way',
    (it) => it.write({ '.git/info/exclude': 'new.txt\n', 'new.txt': 'mine\n' }),
    /in the way in .*: new\.txt/,
  ],
  [
    'an untracked directory in the way',
    (it) => it.write({ 'new.txt/mine': 'mine\n' }),
    /in the way in .*: new\.txt\/mine/,
  ],
  [
    'a link in the way of a directory',
    (it) => symlinkSync('/tmp', join(it.dir, 'made')),
    /in the way in .*: made\./,
    (it) => it.commit({ 'made/x.txt': 'x\n' }),
  ],
  [
    'an unfinished merge',
    (it) => it.write({ '.git/MERGE_HEAD': `${it.git('rev-parse', 'HEAD')}\n` }),
    /in the middle of a merge/,
  ],
  ['an unfinished rebase', (it) => it.write({ '.git/rebase-merge/x': '' }), /in the middle of a rebase/],
  ['an unfinished bisect', (it) => it.git('bisect', 'start'), /in the middle of a bisect/],
  ['a detached HEAD', (it) => it.git('switch', '-q', '--detach'), /HEAD is detached/],
  ['a branch without a commit', (it) => it.git('switch', '-q', '--orphan', 'empty'), /empty in .* has no commits/],
  [
    'a branch of a run',
    (it) => it.git('switch', '-q', '-c', 'devflow/other/main'),
    /devflow\/other\/main checked out, which belongs to a run/,
  ],
  ['unrelated history', (it) => orphan(it), /no common commit/],
  [
    'the lock of another git process',
    (it) => it.write({ '.git/index.lock': '' }),
    /Another git process .*index\.lock exists/,
  ],
  ['a sparse checkout', (it) => it.git('sparse-checkout', 'set', '--no-cone', '/*'), /sparse checkout/],
  ['a split index', (it) => it.git('update-index', '--split-index'), /split index/],
  [
    'a setting from an include',
    (it) => {
      it.write({ '.git/more': '[core]\n\tautocrlf = true\n' });
      it.git('config', 'include.path', 'more');
    },
    /core\.autocrlf from a file that devflow does not read/,
  ],
  [
    'a file with assume-unchanged',
    (it) => it.git('update-index', '--assume-unchanged', 'src/greet.txt'),
    /git ignores changes of src\/greet\.txt/,
  ],
  [
    'a filter of the repository',
    () => {},
    /filter such as git-lfs writes big\.bin/,
    (it) => it.commit({ '.gitattributes': '*.bin filter=lfs\n', 'big.bin': 'pointer\n' }),
  ],
  [
    'a filter of the person',
    (it) => it.write({ '.git/info/attributes': 'new.txt filter=secret\n' }),
    /filter such as git-lfs writes new\.txt/,
  ],
  [
    'a submodule',
    () => {},
    /changes a submodule \(sub\)/,
    (it) => {
      it.git('update-index', '--add', '--cacheinfo', `160000,${it.git('rev-parse', 'HEAD')},sub`);
      it.git('commit', '-q', '-m', 'Submodule');
      mkdirSync(join(it.dir, 'sub'));
    },
  ],
  [
    'a merge attribute',
    (it) => it.commit({ '.gitattributes': '*.txt merge=union\n', 'src/greet.txt': 'Hello\nmine\n' }),
    /merge src\/greet\.txt \(merge=union\)/,
  ],
  [
    'no author for the commit',
    (it) => {
      it.commit({ 'README.md': 'Meanwhile\n' });
      for (const name of ['user.name', 'user.email']) it.git('config', '--unset', name);
    },
    /git has no user\.name and user\.email/,
  ],
];

function orphan(it: ScratchRepo): void {
  it.git('switch', '-q', '--orphan', 'else');
  it.commit({ 'x.txt': 'x\n' });
}

describe('a checkout that cannot take the work', () => {
  it.each(UNREADY)('is refused and does not change: %s', async (_, make, said, work) => {
    const { repo, apply, preview } = given(work);
    make(repo);
    const look = () => stateOf({ git: (...args) => attempt(repo, args) });
    const before = look();
    const { blocked } = await preview();
    expect(blocked?.message).toMatch(said);
    expect(blocked?.code).toBe('checkout_unready');
    expect(blocked?.hint).not.toBe('');
    await expect(apply()).rejects.toMatchObject({ code: 'checkout_unready', message: expect.stringMatching(said) });
    expect(look()).toBe(before);
    expect(existsSync(join(repo.dir, '.git/devflow-apply'))).toBe(false);
  });

  it('names the files of a conflict and the commands to merge by hand, and changes nothing', async () => {
    const { repo, apply, preview } = given();
    repo.commit({ 'src/greet.txt': 'Good morning\n', 'new.txt': 'also new\n' }, 'Meanwhile');
    const before = stateOf(repo);
    const { blocked, lines } = await preview();
    expect(blocked).toMatchObject({ code: 'apply_conflict', files: ['new.txt', 'src/greet.txt'] });
    expect(lines[0]).toBe(`git -C ${repo.dir} merge devflow/run/main`);
    await expect(apply({ way: 'squash' })).rejects.toMatchObject({ code: 'apply_conflict' });
    expect(stateOf(repo)).toBe(before);
  });

  it('leaves other untracked and ignored files where they are', async () => {
    const { repo, apply, head, read } = given();
    repo.write({ '.git/info/exclude': 'build/\n', 'build/x': 'x', 'notes.md': 'mine', 'src/also.txt': 'mine' });
    await apply();
    expect([repo.git('rev-parse', 'HEAD'), read('build/x'), read('notes.md')]).toEqual([head, 'x', 'mine']);
  });
});

function attempt(repo: ScratchRepo, args: readonly string[]): string {
  try {
    return repo.git(...args);
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}
