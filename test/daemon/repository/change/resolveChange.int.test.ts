import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { resolveChange } from '../../../../daemon/repository/change/resolveChange.ts';
import type { ChangeRequest } from '../../../../schemas/rpc/views/start.ts';
import { scratchRepo } from '../../../helpers/repo.ts';
import { ARMING_SETTINGS, HOOKS, PROGRAM_SETTINGS } from '../plantedPrograms.ts';

function given(options: Parameters<typeof scratchRepo>[0] = {}) {
  const repo = scratchRepo(options);
  onTestFinished(repo.cleanup);
  const resolve = (change: ChangeRequest = {}, dir = repo.dir) => resolveChange(dir, change);
  const files = (commit: string) => repo.git('ls-tree', '-r', '--name-only', commit).split('\n');
  const text = (commit: string, path: string) => repo.git('cat-file', '-p', `${commit}:${path}`);
  return { ...repo, resolve, files, text, start: options.empty ? '' : repo.git('rev-parse', 'HEAD') };
}

/** Everything of the checkout that a review must leave as it is. */
function stateOf({ dir, git }: ReturnType<typeof given>) {
  const index = join(dir, '.git', 'index');
  return {
    index: readFileSync(index, 'base64'),
    indexTime: statSync(index).mtimeMs,
    refs: git('for-each-ref'),
    head: readFileSync(join(dir, '.git', 'HEAD'), 'utf8'),
    reflog: git('reflog', '--all'),
    files: readdirSync(dir).sort(),
    gitFiles: readdirSync(join(dir, '.git')).sort(),
    config: readFileSync(join(dir, '.git', 'config'), 'utf8'),
  };
}

it('compares a branch with the commit where it left the main branch', async () => {
  const at = given();
  at.git('checkout', '-qb', 'feature');
  const head = at.commit({ 'feature.ts': 'one\n' });
  at.git('checkout', '-q', 'main');
  const onMain = at.commit({ 'main.ts': 'one\n' });
  at.git('checkout', '-q', 'feature');
  const change = { baseBranch: 'main', baseCommit: at.start, head };
  expect(await at.resolve()).toEqual(change);
  expect(await at.resolve({ base: 'main', head: 'feature' })).toEqual(change);
  expect(await at.resolve({ base: onMain, head })).toEqual({ ...change, baseBranch: onMain });
  expect(await at.resolve({ base: 'HEAD~1' })).toEqual({ ...change, baseBranch: 'HEAD~1' });
});

it('takes a branch before a tag of the same name, and a commit id before either', async () => {
  const at = given();
  const head = at.commit({ 'a.ts': 'one\n' });
  at.git('branch', 'base', at.start);
  at.git('tag', 'base', head);
  at.git('branch', at.start, head);
  expect(await at.resolve({ base: 'base' })).toEqual({ baseBranch: 'base', baseCommit: at.start, head });
  expect(await at.resolve({ base: at.start })).toEqual({ baseBranch: at.start, baseCommit: at.start, head });
  const other = at.git('commit-tree', `${head}^{tree}`, '-p', head, '-m', 'Other');
  at.git('update-ref', 'refs/heads/HEAD', other);
  expect(await at.resolve({ base: 'HEAD~1' })).toEqual({ baseBranch: 'HEAD~1', baseCommit: at.start, head });
});

it('takes the main branch of origin first, and the upstream of the current branch last', async () => {
  const at = given();
  const head = at.commit({ 'a.ts': 'one\n' });
  at.git('update-ref', 'refs/remotes/origin/trunk', at.start);
  at.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
  expect(await at.resolve()).toEqual({ baseBranch: 'origin/HEAD', baseCommit: at.start, head });
  at.git('symbolic-ref', '--delete', 'refs/remotes/origin/HEAD');
  at.git('branch', '-m', 'main', 'Work');
  at.git('config', 'branch.Work.remote', 'origin');
  at.git('config', 'branch.Work.merge', 'refs/heads/trunk');
  expect(await at.resolve()).toEqual({ baseBranch: 'origin/trunk', baseCommit: at.start, head });
  at.git('config', '--unset', 'branch.Work.merge');
  await expect(at.resolve()).rejects.toMatchObject({
    code: 'branch_missing',
    recoveryHint: 'Name the base: --base <ref>.',
  });
});

it('reads what was fetched last, a tag, and a linked worktree with its own HEAD', async () => {
  const at = given();
  const fetched = at.commit({ 'a.ts': 'one\n' });
  at.git('tag', '-a', 'v1', '-m', 'one', at.start);
  writeFileSync(join(at.dir, '.git', 'FETCH_HEAD'), `${fetched}\t\tbranch 'x' of /elsewhere\n`);
  const change = { baseBranch: 'v1', baseCommit: at.start, head: fetched };
  expect(await at.resolve({ base: 'v1', head: 'FETCH_HEAD' })).toEqual(change);
  const linked = join(at.root, 'linked');
  at.git('worktree', 'add', '-q', '--detach', linked, fetched);
  expect(await at.resolve({ base: 'v1' }, linked)).toEqual(change);
});

it('makes a commit of what is staged, and not of what is not', async () => {
  const at = given();
  at.write({ 'staged.ts': 'staged\n', 'both.ts': 'staged\n' });
  at.git('add', '-A');
  at.write({ 'both.ts': 'changed since\n', 'untracked.ts': 'x\n' });
  const before = stateOf(at);
  const { baseBranch, baseCommit, head } = await at.resolve({ of: 'staged' });
  expect({ baseBranch, baseCommit }).toEqual({ baseBranch: 'main', baseCommit: at.start });
  expect(at.files(head)).toEqual(['README.md', 'both.ts', 'src/a.txt', 'staged.ts']);
  expect(at.text(head, 'both.ts')).toBe('staged');
  expect(stateOf(at)).toEqual(before);
});

it('makes a commit of all uncommitted files that git does not ignore', async () => {
  const at = given();
  at.commit({ '.gitignore': '*.log\n', 'gone.ts': 'x\n', 'kept.log.ts': 'x\n' });
  writeFileSync(join(at.dir, '.git', 'info', 'exclude'), 'private\n');
  at.write({ 'deep/new ü.ts': 'new\n', 'debug.log': 'x\n', private: 'x\n', 'README.md': 'changed\n' });
  at.write({ 'staged.ts': 'x\n', 'nested/.keep': 'x\n' });
  at.git('add', 'staged.ts');
  at.gitIn(join(at.dir, 'nested'), 'init', '-q');
  rmSync(join(at.dir, 'gone.ts'));
  const before = stateOf(at);
  const { head, baseCommit } = await at.resolve({ of: 'worktree' });
  expect(baseCommit).toBe(at.git('rev-parse', 'HEAD'));
  expect(
    at.git('-c', 'core.quotePath=false', 'diff', '--no-renames', '--name-status', baseCommit, head).split('\n'),
  ).toEqual(['M\tREADME.md', 'A\tdeep/new ü.ts', 'D\tgone.ts', 'A\tstaged.ts']);
  expect(at.git('show', '-s', '--format=%P %an %ae %cn %s', head)).toBe(
    `${baseCommit} devflow devflow@localhost devflow Uncommitted changes`,
  );
  expect(await at.resolve({ of: 'worktree' })).toMatchObject({ head });
  expect(stateOf(at)).toEqual(before);
});

it('compares uncommitted changes with another branch from the merge base on', async () => {
  const at = given();
  at.git('checkout', '-qb', 'feature');
  at.commit({ 'a.ts': 'one\n' });
  at.write({ 'b.ts': 'x\n' });
  const { head, ...base } = await at.resolve({ of: 'worktree', base: 'main' });
  expect(base).toEqual({ baseBranch: 'main', baseCommit: at.start });
  expect(at.files(head)).toEqual(['README.md', 'a.ts', 'b.ts', 'src/a.txt']);
});

it('runs no program of a hostile repository', async () => {
  const at = given();
  at.commit({ 'a.txt': 'a\n', '.gitattributes': '* filter=planted diff=planted merge=planted\n' });
  const program = join(at.root, 'program');
  const ran = join(at.root, 'ran');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`);
  chmodSync(program, 0o755);
  const hooks = join(at.dir, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of HOOKS) writeFileSync(join(hooks, name), readFileSync(program), { mode: 0o755 });
  at.write({ 'a.txt': 'changed\n', 'b.txt': 'b\n' });
  at.git('add', 'a.txt');
  at.write({ 'a.txt': 'changed again\n' });
  const config = join(at.dir, '.git', 'config');
  for (const key of PROGRAM_SETTINGS) at.git('config', `--file=${config}`, key, program);
  for (const [key, value] of Object.entries(ARMING_SETTINGS)) at.git('config', `--file=${config}`, key, value);
  at.git('config', `--file=${config}`, 'core.hooksPath', hooks);
  rmSync(ran, { force: true });
  const index = readFileSync(join(at.dir, '.git', 'index'));
  const staged = await at.resolve({ of: 'staged' });
  const all = await at.resolve({ of: 'worktree' });
  await at.resolve({ base: 'HEAD~1' });
  expect(existsSync(ran) ? readFileSync(ran, 'utf8') : '').toBe('');
  expect(readFileSync(join(at.dir, '.git', 'index')).equals(index)).toBe(true);
  rmSync(config);
  writeFileSync(config, '[core]\n\trepositoryformatversion = 0\n');
  expect(at.text(staged.head, 'a.txt')).toBe('changed');
  expect(at.text(all.head, 'a.txt')).toBe('changed again');
  expect(at.files(all.head)).toContain('b.txt');
});

it('says what to do if there is nothing to review', async () => {
  const at = given();
  const nothing = (message: string, recoveryHint: unknown) => ({ code: 'nothing_to_review', message, recoveryHint });
  const other = 'Name another base with --base <ref>, or review uncommitted changes with --worktree.';
  await expect(at.resolve()).rejects.toMatchObject(
    nothing('Nothing to review: HEAD has no commits that main does not have.', other),
  );
  at.git('checkout', '-qb', 'feature');
  at.git('commit', '-q', '--allow-empty', '-m', 'empty');
  await expect(at.resolve()).rejects.toMatchObject(
    nothing('Nothing to review: HEAD has the same files as its base in main.', other),
  );
  at.write({ 'a.ts': 'x\n' });
  await expect(at.resolve({ of: 'staged' })).rejects.toMatchObject(
    nothing(`Nothing to review: there are no staged changes in ${at.dir}.`, expect.stringContaining('git add')),
  );
  rmSync(join(at.dir, 'a.ts'));
  await expect(at.resolve({ of: 'worktree' })).rejects.toMatchObject(
    nothing(`Nothing to review: there are no uncommitted changes in ${at.dir}.`, expect.stringContaining('--base')),
  );
});

it('refuses an unknown name with the nearest one, also one that looks like an option', async () => {
  const at = given();
  at.git('branch', 'release');
  const unknown = (ref: string) => ({ code: 'branch_missing', message: `There is no commit ${ref} in ${at.dir}.` });
  await expect(at.resolve({ base: 'relase' })).rejects.toMatchObject({
    ...unknown('relase'),
    recoveryHint: 'Give --base a branch, a tag or a commit id. Did you mean release?',
  });
  await expect(at.resolve({ base: 'nope' })).rejects.toMatchObject({
    ...unknown('nope'),
    recoveryHint: 'Give --base a branch, a tag or a commit id.',
  });
  for (const ref of ['--all', 'main..release', 'README.md', 'main:README.md', '', ' ', 'FETCH_HEAD', '^main']) {
    await expect(at.resolve({ head: ref }), ref).rejects.toMatchObject({ code: 'branch_missing' });
  }
});

it('refuses a checkout without commits, histories without a common commit, and a head beside uncommitted changes', async () => {
  const at = given();
  at.git('checkout', '-q', '--orphan', 'fresh');
  for (const of of ['commits', 'staged', 'worktree'] as const) {
    await expect(at.resolve({ of }), of).rejects.toMatchObject({
      code: 'branch_missing',
      message: `The branch that ${at.dir} has checked out has no commits yet.`,
    });
  }
  at.commit({ 'a.ts': 'x\n' });
  await expect(at.resolve()).rejects.toMatchObject({ message: 'main and HEAD have no commit in common.' });
  await expect(at.resolve({ of: 'staged', head: 'main' })).rejects.toMatchObject({ code: 'usage' });
});

it('refuses to review an index with conflicts, and reviews the files with their markers', async () => {
  const at = given();
  at.git('checkout', '-qb', 'feature');
  at.commit({ 'README.md': 'feature\n' });
  at.git('checkout', '-q', 'main');
  at.commit({ 'README.md': 'main\n' });
  expect(() => at.git('merge', '-q', 'feature')).toThrow();
  await expect(at.resolve({ of: 'staged' })).rejects.toMatchObject({
    code: 'merge_conflict',
    message: `The index of ${at.dir} has conflicts, first in README.md.`,
  });
  const { head } = await at.resolve({ of: 'worktree' });
  expect(at.text(head, 'README.md')).toContain('<<<<<<<');
});
