import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTree } from '../../../daemon/contracts/readTree.ts';
import { isPresent } from '../../../schemas/contracts/autodev/scan.ts';
import { WANTED_OF_ALL } from '../../../schemas/contracts/registry.ts';
import { notReadWhole } from '../../../schemas/contracts/report/report.ts';
import type { Entry } from '../../../schemas/contracts/report/tree.ts';
import { contractInForce } from '../../../schemas/contracts/stateDirectory/contractInForce.ts';

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

test('reads one file where one is enough, however many a person keeps there', () => {
  const large = [
    '_docs/00_problem/input_data',
    '_docs/02_tasks/done',
    '.devt/state/threads',
    '.claude/projects/2026-11-23-login/data',
  ];
  const { repo } = given(Object.fromEntries(large.map((path) => [`${path}/0.md`, 'x'])));
  for (const path of large) {
    for (let nth = 1; nth <= 10_001; nth += 1) linkSync(join(repo, path, '0.md'), join(repo, path, `${nth}.md`));
  }
  const tree = readTree(repo, WANTED_OF_ALL, 0);
  expect(notReadWhole(tree)).toEqual([]);
  expect(tree.entries.size).toBeLessThan(50);
  expect(isPresent(tree, '_docs/00_problem/input_data/*')).toBe(true);
  expect(isPresent(tree, '_docs/02_tasks/done/*.md')).toBe(true);
  expect(contractInForce(tree).marks).toEqual(['threads']);
});

test('passes by what does not count, and enters no directory that is not wanted', () => {
  const isEnough = ({ kind, size }: Entry) => kind === 'file' && size > 0;
  const wanted = { path: 'a', depth: 3, enters: (path: string) => !path.includes('.'), isEnough };
  const { repo } = given({ 'a/.x/file': 'x', 'a/b/empty': '', 'a/c/d/file': 'x', 'a/c/d/e/file': 'x' });
  expect([...readTree(repo, [wanted], 0).entries.keys()]).toEqual(['a', 'a/c', 'a/c/d', 'a/c/d/file']);
  expect([...readTree(repo, [{ ...wanted, depth: 2 }], 0).entries.keys()]).toEqual(['a']);
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
