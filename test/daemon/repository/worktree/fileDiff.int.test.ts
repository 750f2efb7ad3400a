import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countLines, diffOfFile } from '../../../../daemon/repository/worktree/diff.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

/** A repository with a second commit that changes these files. */
function given(change: (put: (path: string, text: string | Buffer) => void, dir: string) => void) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const put = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(repo.dir, path)), { recursive: true });
    writeFileSync(join(repo.dir, path), text);
  };
  put('old.txt', 'one\ntwo\nthree\nfour\nfive\n');
  put('*.txt', 'star\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Before');
  const from = repo.git('rev-parse', 'HEAD');
  change(put, repo.dir);
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'After');
  const to = repo.git('rev-parse', 'HEAD');
  const place = { repoPath: repo.dir, path: join(repo.root, 'gone'), branch: 'main' };
  const diff = (path: string) => diffOfFile(place, { from, to, path });
  return Object.assign(diff, { count: () => countLines(place, { from, to }) });
}

describe('the change of one file', () => {
  test('has the patch of this file alone', async () => {
    const diff = given((put) => {
      put('a.txt', 'a\n');
      put('b.txt', 'b\n');
    });
    const found = await diff('a.txt');
    expect(found).toMatchObject({ truncated: false, binary: false });
    expect(found?.patch).toMatch(/\+a\n$/);
    expect(found?.patch).not.toContain('b.txt');
    expect(await diff('old.txt')).toBeUndefined();
    expect(await diff('../a.txt')).toBeUndefined();
  });

  test('takes a name as it is, and no pattern', async () => {
    const diff = given((put) => {
      put('*.txt', 'changed\n');
      put('other.txt', 'other\n');
    });
    expect((await diff('*.txt'))?.patch).not.toContain('other.txt');
    expect(await diff(':(glob)**')).toBeUndefined();
  });

  test('shows a rename with its lines, and names with line breaks', async () => {
    const diff = given((put, dir) => {
      renameSync(join(dir, 'old.txt'), join(dir, 'new.txt'));
      put('new.txt', 'one\ntwo\nthree\nfour\n5\n');
      put('odd\nname.txt', 'x\n');
    });
    expect((await diff('new.txt'))?.patch).toMatch(/rename from old\.txt[\s\S]*-five\n\+5\n/);
    expect((await diff('odd\nname.txt'))?.patch).toContain('+x');
  });

  test('says that a file is binary, and cuts a huge one at a line', async () => {
    const diff = given((put) => {
      put('a.bin', Buffer.from([0, 1, 2, 0]));
      put('big.txt', 'Binary files a and b differ\n'.repeat(60_000));
    });
    expect(await diff('a.bin')).toMatchObject({ binary: true, truncated: false });
    const big = await diff('big.txt');
    expect(big).toMatchObject({ binary: false, truncated: true });
    expect(big?.patch.length).toBeLessThanOrEqual(1024 * 1024);
    expect(big?.patch).toMatch(/\n$/);
  });
});

test('lines are counted over all files, and files without lines apart', async () => {
  const { count } = given((put, dir) => {
    put('old.txt', 'one\n2\nthree\nfour\nfive\n');
    put('new.txt', 'a\nb\n');
    put('-\t-\tx', 'a name like the output of git\n');
    put('data.bin', Buffer.from([0, 1, 2, 0]));
    renameSync(join(dir, '*.txt'), join(dir, 'moved.txt'));
  });
  expect(await count()).toEqual({ lines: 5, binaries: 1 });
});
