import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyTree } from '../../../daemon/setup/copyTree.ts';
import { writeFiles } from '../../helpers/writeFiles.ts';

function given(files: Record<string, string>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-copy-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [checkout, to] = [join(root, 'checkout'), join(root, 'copy')];
  writeFiles(checkout, files);
  const worktree = '/ws/run/main';
  const copy = (path: string, limits?: Parameters<typeof copyTree>[2]) =>
    copyTree({ checkout, path, to, worktree }, () => {}, limits);
  return { root, checkout, to, copy };
}

describe('a copy of a directory', () => {
  it('does not share bytes with the checkout, whatever is written to it', () => {
    const { checkout, to, copy } = given({ 'dir/a': 'a', 'dir/b/c': 'c' });
    expect(copy('dir')).toMatchObject({ files: 2, bytes: 2, skipped: [] });
    writeFileSync(join(to, 'a'), 'changed');
    expect(readFileSync(join(checkout, 'dir/a'), 'utf8')).toBe('a');
  });

  it('keeps times to a microsecond, and their order', () => {
    const { checkout, to, copy } = given({ 'dir/old': 'o', 'dir/new': 'n' });
    utimesSync(join(checkout, 'dir/old'), 1.7e9, 1.7e9 + 0.000_01);
    utimesSync(join(checkout, 'dir/new'), 1.7e9, 1.7e9 + 0.000_02);
    copy('dir');
    const timeOf = (dir: string, name: string) => statSync(join(dir, name)).mtimeMs;
    expect(timeOf(to, 'new')).toBeGreaterThan(timeOf(to, 'old'));
    for (const name of ['old', 'new']) {
      expect(Math.abs(timeOf(to, name) - timeOf(join(checkout, 'dir'), name))).toBeLessThan(0.002);
    }
  });

  it('keeps two names of one large file', () => {
    const { checkout, to, copy } = given({ 'dir/a': 'x'.repeat(1_000_000), 'dir/small': 's' });
    linkSync(join(checkout, 'dir/a'), join(checkout, 'dir/b'));
    linkSync(join(checkout, 'dir/small'), join(checkout, 'dir/small2'));
    copy('dir');
    expect(lstatSync(join(to, 'a')).ino).toBe(lstatSync(join(to, 'b')).ino);
    expect(lstatSync(join(to, 'small')).ino).not.toBe(lstatSync(join(to, 'small2')).ino);
    expect(lstatSync(join(to, 'a')).ino).not.toBe(lstatSync(join(checkout, 'dir/a')).ino);
  });

  it.each([
    [{ files: 3, bytes: 1e9 }, 'has more than 3 files'],
    [{ files: 100, bytes: 10 }, 'has more than 10 bytes'],
  ])('beyond the limits %j leaves nothing', (limits, fault) => {
    const { to, copy } = given({ 'dir/a': 'aaaa', 'dir/b': 'bbbb', 'dir/c/d': 'dddd', 'dir/c/e': 'e' });
    expect(copy('dir', limits)).toMatchObject({ fault });
    expect(existsSync(to)).toBe(false);
  });

  it('that changes meanwhile is made again, and not if that never ends', () => {
    const files = Array.from({ length: 600 }, (_, nth) => [`dir/${nth}`, 'x'] as const);
    const at = given(Object.fromEntries(files));
    const job = { checkout: at.checkout, path: 'dir', to: at.to, worktree: '/ws/run/main' };
    let changes = 0;
    const changing = (times: number) => () => {
      if (changes === times) return;
      changes += 1;
      writeFileSync(join(at.checkout, 'dir', `new-${changes}`), 'x');
      utimesSync(join(at.checkout, 'dir'), changes, changes);
    };
    expect(copyTree(job, changing(1))).not.toHaveProperty('fault');
    expect(existsSync(join(at.to, 'new-1'))).toBe(true);
    rmSync(at.to, { recursive: true });
    expect(copyTree(job, changing(1000)).fault).toBe('changed while devflow copied it');
    expect(existsSync(at.to)).toBe(false);
  });

  it('of too many directories in each other leaves nothing', () => {
    const { to, copy } = given({ [`dir/${'d/'.repeat(250)}file`]: 'x' });
    expect(copy('dir').fault).toBe('has more than 200 directories in each other');
    expect(existsSync(to)).toBe(false);
  });

  it('follows no link on the way to it', () => {
    const { root, checkout, to, copy } = given({ 'dir/a': 'a' });
    mkdirSync(join(root, 'outside/sub'), { recursive: true });
    symlinkSync(join(root, 'outside'), join(checkout, 'link'));
    expect(copy('link/sub').fault).toBe('the directory link is a link');
    expect(existsSync(to)).toBe(false);
    expect(copy('none/sub').fault).toMatch(/cannot be read/);
  });

  it('that is a virtual environment of Python uses the files of the worktree', () => {
    const { checkout, to, copy } = given({});
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(checkout, name)), { recursive: true });
      writeFileSync(join(checkout, name), text, { mode: 0o755 });
      utimesSync(join(checkout, name), 1e9, 1e9);
    };
    const site = '.venv/lib/python3.12/site-packages';
    write('.venv/pyvenv.cfg', `home = /usr/bin\ncommand = python -m venv ${checkout}/.venv\n`);
    write('.venv/bin/pytest', `#!${checkout}/.venv/bin/python\nimport pytest\n`);
    write(`${site}/__editable__.app.pth`, `${checkout}/src\n`);
    write(`${site}/__editable___app_finder.py`, `MAPPING = {'app': '${checkout}/src/app'}\n`);
    write(`${site}/app.dist-info/direct_url.json`, `{"url": "file://${checkout}"}`);
    write(`${site}/pytest/__init__.py`, `# ${checkout}\n`);
    symlinkSync('/usr/bin/python3', join(checkout, '.venv/bin/python'));
    expect(copy('.venv')).toMatchObject({ files: 7, skipped: [] });
    const text = (name: string) => readFileSync(join(to, name.replace('.venv/', '')), 'utf8');
    expect(text('.venv/pyvenv.cfg')).toContain('venv /ws/run/main/.venv\n');
    expect(text('.venv/bin/pytest')).toBe('#!/ws/run/main/.venv/bin/python\nimport pytest\n');
    expect(statSync(join(to, 'bin/pytest')).mode & 0o777).toBe(0o755);
    expect(text(`${site}/__editable__.app.pth`)).toBe('/ws/run/main/src\n');
    expect(text(`${site}/__editable___app_finder.py`)).toContain("'/ws/run/main/src/app'");
    expect(text(`${site}/app.dist-info/direct_url.json`)).toBe('{"url": "file:///ws/run/main"}');
    expect(text(`${site}/pytest/__init__.py`)).toContain(checkout);
    const times = ['bin/pytest', 'lib/python3.12/site-packages/pytest/__init__.py'].map(
      (name) => statSync(join(to, name)).mtimeMs === 1e12,
    );
    // A changed file is newer, so Python compiles it again.
    expect(times).toEqual([false, true]);
  });

  it('has scripts in .bin that name the worktree', () => {
    const { checkout, to, copy } = given({ 'node_modules/.bin/x': '' });
    writeFileSync(join(checkout, 'node_modules/.bin/x'), `export NODE_PATH="${checkout}/node_modules"\n`);
    copy('node_modules');
    expect(readFileSync(join(to, '.bin/x'), 'utf8')).toBe('export NODE_PATH="/ws/run/main/node_modules"\n');
  });
});
