import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { ProtectedFiles } from '../../../../../daemon/kinds/evaluate/effect.ts';
import { inspectEvaluation } from '../../../../../daemon/kinds/evaluate/performers/inspectEvaluation.ts';
import { restoreBest } from '../../../../../daemon/kinds/evaluate/performers/restoreBest.ts';
import { changeUnseen, makeLarge } from '../../../../helpers/largeFile.ts';
import { gitPorts } from '../../../engine/local/support/performing.ts';
import { given } from '../../../repository/merge/given.ts';

const { signal } = new AbortController();
const BASE = {
  'evaluate.mjs': 'export const seed = 7;\n',
  'settings.json': '{"from": "2020", "seed": 7}\n',
  'src/strategy.ts': 'base\n',
  '.gitignore': 'data/\n',
};

async function givenLoop(files: Partial<ProtectedFiles> = {}) {
  const at = given();
  const base = at.commitOn('lane-1', BASE);
  const worktree = await at.open('lane-1');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(worktree.path, path)), { recursive: true });
    writeFileSync(join(worktree.path, path), text);
  };
  write('data/prices.csv', '1\n2\n');
  const common = { runId: 'run', phaseId: 'phase', attempt: 1, lane: { ...worktree, startCommit: base } };
  const wanted = { editable: [], globs: ['settings.json', 'data/**'], argv: ['node', 'evaluate.mjs'], ...files };
  const metrics = join(at.repo.root, 'metrics');
  const inspect = async (since: string | null = base) => {
    const effect = { type: 'inspectEvaluation' as const, key: 'k', ...common, since, files: wanted, metrics };
    const outcome = await inspectEvaluation(effect, gitPorts, signal);
    if (outcome?.type !== 'evaluationInspected') throw new TypeError('nothing was inspected');
    return outcome;
  };
  const restore = (best: string) =>
    restoreBest(
      { type: 'restoreBest', key: 'k', phaseKey: 'backtest', since: base, best, title: 'go back', ...common },
      gitPorts,
      signal,
    );
  return { at, base, worktree, write, metrics, inspect, restore };
}

it.each([
  [
    'the settings with seed and dates',
    { 'settings.json': '{"from": "2021", "seed": 8}\n' },
    'settings.json is protected',
  ],
  [
    'the evaluator',
    { 'evaluate.mjs': 'export const seed = 8;\n' },
    'evaluate.mjs is part of the command that measures',
  ],
])('%s, once committed, is named', async (_, changes, touched) => {
  const { at, base, inspect } = await givenLoop();
  at.commitOn('lane-1', { ...changes, 'src/strategy.ts': 'better\n' }, base);
  expect((await inspect()).touched).toEqual([touched]);
});

it('data that git ignores is compared by its bytes, and a link in its place is another file', async () => {
  const { inspect, write, worktree } = await givenLoop();
  const { protectedHash } = await inspect();
  expect((await inspect()).protectedHash).toBe(protectedHash);
  write('data/prices.csv', '1\n3\n');
  expect((await inspect()).protectedHash).not.toBe(protectedHash);
  write('data/prices.csv', '1\n2\n');
  expect((await inspect()).protectedHash).toBe(protectedHash);
  rmSync(join(worktree.path, 'data/prices.csv'));
  symlinkSync('/etc/hostname', join(worktree.path, 'data/prices.csv'));
  expect((await inspect()).protectedHash).not.toBe(protectedHash);
});

it.each([
  ['a file of 65 MB by its content', 65 * 1024 ** 2],
  ['a file of 100 GB, which takes too long to hash, by a time that nobody sets back', 100 * 1024 ** 3],
])('compares %s', async (_, bytes) => {
  const { inspect, worktree } = await givenLoop({ hashesLarge: true });
  const data = join(worktree.path, 'data/prices.csv');
  makeLarge(data, bytes);
  const { protectedHash } = await inspect();
  expect((await inspect()).protectedHash).toBe(protectedHash);
  changeUnseen(data, 'x');
  expect((await inspect()).protectedHash).not.toBe(protectedHash);
});

it('compares a file of 65 MB by size and time in a run that began so, and gets its content back as the same file', async () => {
  const [old, now] = [await givenLoop(), await givenLoop({ hashesLarge: true })];
  for (const { worktree, inspect } of [old, now]) {
    const data = join(worktree.path, 'data/prices.csv');
    makeLarge(data, 65 * 1024 ** 2);
    const { protectedHash } = await inspect();
    changeUnseen(data, 'x');
    expect((await inspect()).protectedHash === protectedHash).toBe(inspect === old.inspect);
    changeUnseen(data, '\0');
    expect((await inspect()).protectedHash).toBe(protectedHash);
  }
});

it('only editable files may change, where the objective names them', async () => {
  const { at, base, inspect } = await givenLoop({ editable: ['src/**'] });
  at.commitOn('lane-1', { 'src/strategy.ts': 'better\n', 'package.json': '{}\n' }, base);
  expect((await inspect()).touched).toEqual(['package.json is not among the files that may be changed']);
});

it('metrics that were there before the command ran are not from the command', async () => {
  const { inspect, metrics } = await givenLoop();
  mkdirSync(metrics);
  writeFileSync(join(metrics, 'metrics.json'), '{"metrics": {"sharpe": 9}}');
  expect((await inspect()).touched).toEqual([`${metrics} was there before the command ran`]);
});

it('the base is compared with nothing', async () => {
  const { base, inspect } = await givenLoop();
  expect(await inspect(null)).toMatchObject({ commit: base, touched: [] });
});

it('the best state comes back by a commit of its own, and what was left in the worktree goes', async () => {
  const { at, base, restore, write, worktree } = await givenLoop();
  const tried = at.commitOn('lane-1', { 'src/strategy.ts': 'worse\n', 'src/new.ts': 'x\n' }, base);
  write('results/out.txt', 'left behind\n');
  write('src/strategy.ts', 'half a change\n');
  const first = await restore(base);
  expect(first).toMatchObject({ type: 'workCommitted', work: { commit: at.tip('lane-1') } });
  expect(await restore(base)).toEqual(first);
  const git = (...args: string[]) => at.repo.gitIn(worktree.path, ...args);
  expect(git('rev-parse', 'HEAD^')).toBe(tried);
  expect(git('diff', '--name-only', base, 'HEAD')).toBe('');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('ls-files', '--others', '--ignored', '--exclude-standard')).toContain('data/prices.csv');
});

it('a best state that is already there gets no commit', async () => {
  const { base, at, restore } = await givenLoop();
  expect(await restore(base)).toMatchObject({ work: { commit: null, files: 0 } });
  const better = at.commitOn('lane-1', { 'src/strategy.ts': 'better\n' }, base);
  expect(await restore(better)).toMatchObject({ work: { commit: better, files: 1 } });
});
