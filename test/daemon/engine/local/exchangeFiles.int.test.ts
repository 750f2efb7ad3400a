import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createExchangeFiles, findChangedFiles } from '../../../../daemon/engine/local/exchangeFiles.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { newRun } from '../../core/support/run.ts';
import { given as givenRepository } from '../../repository/merge/given.ts';

/** A run with a worktree, and a writer of its files. */
async function given() {
  const { repo, base, open, place } = givenRepository();
  const { path: worktreeRoot } = place('main');
  const warnings: { path?: string; code?: string }[] = [];
  const start = () =>
    createExchangeFiles({
      faults: noFaults,
      log: {
        warn: ({ path, err }: { path?: string; err?: { code: string } }) => warnings.push({ path, code: err?.code }),
      },
    });
  const runWith = (files: Record<string, string>): Run => ({
    ...newRun({ template: 'planned' }).run,
    repoPath: repo.dir,
    worktreeRoot,
    exchange: { files },
  });
  const at = (path: string) => join(worktreeRoot, path);
  return {
    repo,
    base,
    place: place('main'),
    open: () => open('main'),
    worktreeRoot,
    start,
    runWith,
    warnings,
    at,
    read: (path: string) => readFileSync(at(path), 'utf8'),
    put: (path: string, text: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
  };
}

test('writes whole files with their directories, and again what another event changed', async () => {
  const { open, start, runWith, at, read, warnings } = await given();
  await open();
  const files = start();
  await files.write(runWith({ 'a/b/one.md': 'one\n', 'two.json': '{}' }));
  expect([read('a/b/one.md'), read('two.json')]).toEqual(['one\n', '{}']);
  await files.write(runWith({ 'a/b/one.md': 'one\nmore\n', 'two.json': '{}', 'three.md': 'ü' }));
  expect([read('a/b/one.md'), read('two.json'), read('three.md')]).toEqual(['one\nmore\n', '{}', 'ü']);
  expect(readdirSync(at('a/b'))).toEqual(['one.md']);
  expect(lstatSync(at('three.md')).mode & 0o777).toBe(0o644);
  expect(warnings).toEqual([]);
});

test('writes at start what somebody changed or removed, and leaves a right file as it is', async () => {
  const { open, start, runWith, at, read, put } = await given();
  await open();
  const run = runWith({ 'one.md': 'one\n', 'dir/two.md': 'two\n', 'three.md': 'three\n' });
  await start().write(run);
  put('one.md', 'theirs\n');
  rmSync(at('dir'), { recursive: true });
  const { ino } = lstatSync(at('three.md'));
  expect(await findChangedFiles(run)).toEqual([
    { path: 'one.md', is: 'theirs\n' },
    { path: 'dir/two.md', is: null },
  ]);
  await start().write(run);
  expect([read('one.md'), read('dir/two.md')]).toEqual(['one\n', 'two\n']);
  expect(lstatSync(at('three.md')).ino).toBe(ino);
  expect(await findChangedFiles(run)).toEqual([]);
});

test('does not follow a link: one in the place of a file is replaced, and one on the way is logged', async () => {
  const { repo, open, start, runWith, at, read, warnings } = await given();
  await open();
  const outside = join(repo.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'target.md'), 'theirs\n');
  symlinkSync(join(outside, 'target.md'), at('linked.md'));
  symlinkSync(outside, at('way'));
  mkdirSync(at('directory.md'));
  const run = runWith({
    'linked.md': 'ours\n',
    'way/file.md': 'ours\n',
    'directory.md': 'ours\n',
    'last.md': 'ours\n',
  });
  await start().write(run);
  expect(lstatSync(at('linked.md')).isFile()).toBe(true);
  expect(readFileSync(join(outside, 'target.md'), 'utf8')).toBe('theirs\n');
  expect(readdirSync(outside)).toEqual(['target.md']);
  expect(warnings).toEqual([
    { path: 'way/file.md', code: 'path_unsafe' },
    { path: 'directory.md', code: 'path_unsafe' },
  ]);
  expect(read('last.md')).toBe('ours\n');
  expect((await findChangedFiles(run)).map(({ path }) => path)).toEqual(['way/file.md', 'directory.md']);
});

test('HC-7.2 keeps session states and their prompts out of git, in the repository of the run alone', async () => {
  const { repo, base, place, open, start, runWith, at } = await given();
  await open();
  const other = join(repo.root, 'other');
  repo.git('init', '-q', other);
  rmSync(at('.git'));
  writeFileSync(at('.git'), `gitdir: ${join(other, '.git')}\n`);
  const exclude = (directory: string) => readFileSync(join(directory, '.git/info/exclude'), 'utf8').split('\n');
  const state = '.claude/projects/p/.session-state.local.json';
  const prompt = '.claude/projects/p/NEXT-SESSION-PROMPT.local.md';
  await start().write(runWith({ 'progress.json': '{}' }));
  expect(exclude(repo.dir)).not.toContain('*.local.json');
  await start().write(runWith({ [state]: '{}', [prompt]: 'Go on.', 'progress.json': '{}' }));
  expect(exclude(repo.dir).slice(-3)).toEqual(['*.local.json', 'NEXT-SESSION-PROMPT.local.md', '']);
  expect(exclude(other)).not.toContain('*.local.json');
  const trailers = { run: 'run', phase: 'plan', attempt: 1 };
  const { commit } = await commitWork({ worktree: place, since: base, subject: 'devflow: Plan', trailers });
  const committed = repo.git('ls-tree', '-r', '--name-only', commit as string).split('\n');
  expect(committed).toContain('progress.json');
  expect(committed).not.toContain(state);
  expect(committed).not.toContain(prompt);
});

test('writes nothing without a worktree, or without files', async () => {
  const { open, start, runWith, worktreeRoot, warnings } = await given();
  const files = start();
  const run = runWith({ 'one.md': 'one\n' });
  await files.write(run);
  expect(existsSync(worktreeRoot)).toBe(false);
  expect(await findChangedFiles(run)).toEqual([]);
  await open();
  const before = readdirSync(worktreeRoot);
  await files.write({ ...run, exchange: null });
  expect(readdirSync(worktreeRoot)).toEqual(before);
  await files.write(run);
  expect(readFileSync(join(worktreeRoot, 'one.md'), 'utf8')).toBe('one\n');
  expect(warnings).toEqual([]);
});
