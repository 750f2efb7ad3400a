import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTree } from '../../../daemon/contracts/readTree.ts';

function given(files: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-tree-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [repo, outside] = [join(directory, 'repo'), join(directory, 'outside')];
  for (const [path, text] of Object.entries({ '../outside/file': 'secret', ...files })) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  return { repo, outside };
}

test('reads texts down to a depth, and of what is no file only its kind', () => {
  const { repo, outside } = given({ 'a/b/one.md': '1', 'a/b/two.txt': '2', 'a/b/deep/x.md': '', 'a/z.md': 'z' });
  symlinkSync(join(outside, 'file'), join(repo, 'a/link.md'));
  symlinkSync(outside, join(repo, 'a/b/linked'));
  execFileSync('mkfifo', [join(repo, 'a/pipe.md')]);
  const tree = readTree(repo, [{ path: 'a', depth: 2, text: (path) => path.endsWith('.md') }, { path: 'a/b/none' }], 0);
  expect([...tree.entries.values()].map(({ path, kind, text }) => [path, kind, text])).toEqual([
    ['a', 'dir', undefined],
    ['a/b', 'dir', undefined],
    ['a/b/deep', 'dir', undefined],
    ['a/b/linked', 'link', undefined],
    ['a/b/one.md', 'file', '1'],
    ['a/b/two.txt', 'file', undefined],
    ['a/link.md', 'link', undefined],
    ['a/pipe.md', 'other', undefined],
    ['a/z.md', 'file', 'z'],
  ]);
});

/** One process, whose end is the end of all changes. It swaps a directory and a file with links. */
const SWAP = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const attempt = (act) => { try { act(); } catch {} };
  const swap = (name, target) => {
    attempt(() => renameSync(name, '../kept'));
    attempt(() => symlinkSync(target, name));
    attempt(() => unlinkSync(name));
    attempt(() => renameSync('../kept', name));
  };
  for (;;) {
    swap('dir', '../../outside');
    swap('other/file', '../../../outside/file');
  }`;

test('never reads outside while directories and files are swapped with links', async () => {
  const { repo } = given({ 'top/dir/file': 'mine', 'top/other/file': 'mine' });
  const swapper = spawn(process.execPath, ['-e', SWAP], { cwd: join(repo, 'top'), stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = once(swapper, 'exit');
    swapper.kill('SIGKILL');
    await ended;
  });
  await once(swapper, 'spawn');
  await expect.poll(() => existsSync(join(repo, 'kept'))).toBe(true);
  const texts = new Set<string>();
  const faults = new Set<string>();
  for (let turn = 0; turn < 2000; turn += 1) {
    for (const { text, fault } of readTree(repo, [{ path: 'top', depth: 2 }], 0).entries.values()) {
      if (text !== undefined) texts.add(text);
      if (fault !== undefined) faults.add(fault);
    }
  }
  expect([...texts]).toEqual(['mine']);
  const known = /^the file (?:is a link|cannot be read \((?:ENOENT|ENOTDIR)\))$/;
  expect([...faults].filter((fault) => !known.test(fault))).toEqual([]);
});
