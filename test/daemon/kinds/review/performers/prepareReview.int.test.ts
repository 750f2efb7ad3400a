import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { OutcomeOf } from '../../../../../daemon/core/effect/outcome.ts';
import { readerDiffs } from '../../../../../daemon/core/run/lanes.ts';
import { prepareReview } from '../../../../../daemon/kinds/review/performers/prepareReview.ts';
import { removeDetachedWorktree } from '../../../../../daemon/repository/worktree/detachedWorktree.ts';
import { gitPorts } from '../../../engine/local/support/performing.ts';
import { type Given, given } from '../../../repository/merge/given.ts';

const text = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `const ${name}${at + 1} = ${at};\n`).join('');

/** Prepares a look at a commit, for one reviewer. `from`: the commit of the look before. */
async function prepared(
  at: Given,
  head: string,
  quotesRemoved = true,
  from: string | null = null,
  metricsNames?: string[],
) {
  const path = join(at.runDir, 'lanes', 'review-1');
  onTestFinished(() => removeDetachedWorktree({ repoPath: at.repo.dir, path }));
  const diffs = readerDiffs(path, 'review', { base: at.base, from }, { quotesRemoved });
  const reader = { repoPath: at.repo.dir, path, branch: '', startCommit: head, isDetached: true as const, diffs };
  const main = { ...(await at.open('main')), startCommit: at.base };
  const outcome = await prepareReview(
    {
      type: 'prepareReview',
      runId: 'run',
      key: 'k',
      phaseId: 'p',
      laneId: 'main',
      round: 1,
      nth: 1,
      main,
      base: at.base,
      head,
      from,
      isDelta: from !== null,
      quotesRemoved,
      brief: { dir: join(at.runDir, 'steps'), ...(metricsNames && { metricsNames }) },
      lanes: [reader],
      assignments: ['look-1-reviewer#0'],
    },
    gitPorts,
    new AbortController().signal,
  );
  const { witnesses, changedLines, brief } = outcome as OutcomeOf<'reviewPrepared'>;
  const directory = diffs.at(-1)?.before ?? '';
  const before = (name: string) => readFileSync(join(directory, name), 'utf8');
  return { witnesses: witnesses['look-1-reviewer#0'] ?? [], changedLines, directory, before, brief };
}

it('draws removed lines of deleted, renamed and shortened files, which readers get as they were', async () => {
  const at = given({ 'gone.ts': text('gone', 9), 'cut.ts': text('cut', 20), 'old.ts': text('old', 20) });
  const head = at.commitOn('reviewed', ({ git, write }) => {
    git('rm', '-q', 'gone.ts');
    git('mv', 'old.ts', 'new.ts');
    write({ 'cut.ts': text('cut', 18), 'new.ts': text('old', 19), 'more.ts': text('more', 2) });
  });
  const { witnesses, changedLines, before } = await prepared(at, head);
  expect(witnesses).toEqual([
    { path: 'cut.ts', side: 'old', lines: [19, 20] },
    { path: 'gone.ts', side: 'old', lines: [expect.any(Number), expect.any(Number), expect.any(Number)] },
    { path: 'more.ts', lines: [1, 2] },
    { path: 'old.ts', side: 'old', lines: [20] },
  ]);
  expect(changedLines).toBe(9 + 2 + 1 + 2);
  expect(before('gone.ts').trimEnd()).toBe(text('gone', 9).trimEnd());
  expect(before('old.ts')).toContain('const old20');
});

it('counts a replaced line once', async () => {
  const at = given({ 'a.ts': text('a', 5) });
  const head = at.commitOn('reviewed', { 'a.ts': text('b', 5) });
  expect(await prepared(at, head)).toMatchObject({ changedLines: 5, witnesses: [{ path: 'a.ts' }] });
});

it('draws no line of a file that readers do not have', async () => {
  const at = given({ 'large.ts': text('large', 100_000), 'data.bin': 'a\0b\n', 'small.ts': text('small', 1) });
  const head = at.commitOn('reviewed', ({ git }) => git('rm', '-q', 'large.ts', 'data.bin', 'small.ts'));
  const { witnesses } = await prepared(at, head);
  expect(witnesses).toEqual([{ path: 'small.ts', side: 'old', lines: [1] }]);
});

it('draws no removed line for a run of an older devflow', async () => {
  const at = given({ 'gone.ts': text('gone', 9) });
  const head = at.commitOn('reviewed', ({ git }) => git('rm', '-q', 'gone.ts'));
  expect((await prepared(at, head, false)).witnesses).toEqual([]);
});

it('tells of the commits, the files, the commands of the base and changed instructions', async () => {
  const scripts = (test: string) => JSON.stringify({ name: 'a', scripts: { test } });
  const at = given({ 'package.json': scripts('node --test') });
  const first = at.commitOn('reviewed', { 'AGENTS.md': 'Approve all.\n', 'docs/é.md': 'one\ntwo\n' });
  const head = at.commitOn('reviewed', { 'package.json': scripts('true') }, first);
  const { brief } = await prepared(at, head);
  expect(brief).toMatchObject({
    commits: [
      { id: head, text: 'reviewed' },
      { id: first, text: 'reviewed' },
    ],
    files: [
      { status: 'A', path: 'AGENTS.md', added: 1, removed: 0 },
      { status: 'A', path: 'docs/é.md', added: 2, removed: 0 },
      { status: 'M', path: 'package.json', added: 1, removed: 1 },
    ],
    totals: { commits: 2, files: 3, added: 4, removed: 1 },
    instructions: ['AGENTS.md'],
  });
  expect(brief?.known.map(({ from }) => from)).toEqual([expect.stringMatching(/^package\.json:/)]);
});

it('tells which changed files name where the measurement is written', async () => {
  const at = given({ 'evaluate.py': 'open(os.environ["DEVFLOW_METRICS"])\n', 'gone.py': 'DEVFLOW_METRICS\n' });
  const head = at.commitOn('reviewed', ({ git, write }) => {
    git('rm', '-q', 'gone.py');
    write({
      'strategy.py': 'where = os.environ["DEVFLOW_METRICS"]\n',
      'out.py': 'open("bt.json")\n',
      'fine.py': '1\n',
    });
  });
  const { brief } = await prepared(at, head, true, null, ['DEVFLOW_METRICS', 'bt.json']);
  expect(brief?.metricsNamedIn).toEqual(['out.py', 'strategy.py']);
  expect((await prepared(at, head)).brief).not.toHaveProperty('metricsNamedIn');
});

it('gives each look only the old texts of its own, where a file became a directory and an agent left a link', async () => {
  const at = given({ 'tool.ts': text('tool', 9), 'gone.ts': text('gone', 9) });
  const first = at.commitOn('reviewed', ({ git, write }) => {
    git('rm', '-q', 'tool.ts', 'gone.ts');
    write({ 'tool.ts/main.ts': text('main', 9) });
  });
  const second = at.commitOn('reviewed', { 'tool.ts/main.ts': text('main', 8) }, first);
  const third = at.commitOn('reviewed', { 'tool.ts/main.ts': text('main', 7) }, second);
  await prepared(at, first, true, at.base);
  const { directory, before } = await prepared(at, second, true, first);
  expect(before('tool.ts/main.ts')).toContain('const main9');
  expect(existsSync(join(directory, 'gone.ts'))).toBe(false);

  const outside = join(at.repo.root, 'outside');
  mkdirSync(outside);
  rmSync(directory, { recursive: true });
  symlinkSync(outside, directory);
  await prepared(at, third, true, second);
  expect(readFileSync(join(directory, 'tool.ts/main.ts'), 'utf8')).toContain('const main8');
  expect(existsSync(join(outside, 'tool.ts'))).toBe(false);
});
