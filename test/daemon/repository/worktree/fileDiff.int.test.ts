import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countLines } from '../../../../daemon/repository/worktree/countLines.ts';
import { diffOfFile } from '../../../../daemon/repository/worktree/diff.ts';
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

test('a change that lines do not tell is counted apart', async () => {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const put = (path: string, text: string) => writeFileSync(join(repo.dir, path), text);
  const commit = () => {
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Change');
    return repo.git('rev-parse', 'HEAD');
  };
  const place = { repoPath: repo.dir, path: join(repo.root, 'gone'), branch: 'main' };
  put('tool.sh', 'echo\n');
  let from = commit();
  const counted = async (change: () => void) => {
    change();
    const to = commit();
    const count = await countLines(place, { from, to });
    from = to;
    return count;
  };
  expect(await counted(() => chmodSync(join(repo.dir, 'tool.sh'), 0o755))).toEqual({ lines: 0, binaries: 1 });
  expect(await counted(() => renameSync(join(repo.dir, 'tool.sh'), join(repo.dir, 'new.sh')))).toEqual({
    lines: 0,
    binaries: 1,
  });
  expect(await counted(() => put('long.js', `${'x'.repeat(5_000_000)}\n`))).toEqual({ lines: 1, binaries: 1 });
  expect(await counted(() => put('long.js', `${'y'.repeat(2_001)}\n`))).toMatchObject({ binaries: 1 });
  expect(await counted(() => put('5\t6\ttext', `${'y'.repeat(100)}\n`))).toEqual({ lines: 1, binaries: 0 });
  const link = () => {
    mkdirSync(join(repo.dir, 'linked'));
    repo.git('update-index', '--add', '--cacheinfo', `160000,${from},linked`);
  };
  expect(await counted(link)).toEqual({ lines: 1, binaries: 1 });
});

test('lines are counted over all files, and files without lines apart', async () => {
  const { count } = given((put, dir) => {
    put('old.txt', 'one\n2\nthree\nfour\nfive\n');
    put('new.txt', 'a\nb\n');
    put('-\t-\tx', 'a name like the output of git\n');
    put('data.bin', Buffer.from([0, 1, 2, 0]));
    renameSync(join(dir, '*.txt'), join(dir, 'moved.txt'));
  });
  // The binary file, and the one that moved.
  expect(await count()).toEqual({ lines: 5, binaries: 2 });
});
