import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contractDirectories } from '../../../daemon/contracts/contractDirectories.ts';
import { createContractWatches } from '../../../daemon/contracts/watchContracts.ts';
import { WANTED_OF_ALL } from '../../../schemas/contracts/registry.ts';
import { eventually } from '../../helpers/eventually.ts';
import { givenDirectories } from './givenDirectories.ts';

const PORTS = { now: () => 0, isInUse: async () => false };

function given(...files: string[]) {
  const { repo, outside } = givenDirectories('watch', PORTS);
  const write = (path: string, text = 'x') => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  for (const path of files) write(path);
  return { repo, outside, write };
}

/** Watches, and counts what is reported once all directories are open. */
async function watching(repo: string, watches = createContractWatches()) {
  const seen = { changes: 0 };
  const stop = watches.watch(repo, () => {
    seen.changes += 1;
  });
  onTestFinished(stop);
  await eventually(() => expect(seen.changes).toBeGreaterThan(0));
  return { seen, stop, watches };
}

const directories = (repo: string) => [...contractDirectories(repo, WANTED_OF_ALL).keys()].sort();

it.each([
  ['.devt/state/workflow.yaml', '.devt/state/plan.md'],
  ['_docs/_autodev_state.md', '_docs/_autodev_state.md'],
  ['.claude/projects/2026-11-23-login/plan.md', '.claude/projects/2026-11-23-login/research/a.md'],
  ['.workflow/.cycle/cycle-v1-20260122T100000-abc123.json', '.workflow/.cycle/cycle-v1-20260122T100000-abc124.json'],
])('reports a change beside %s', async (before, changed) => {
  const { repo, write } = given(before);
  const { seen } = await watching(repo);
  const { changes } = seen;
  write(changed, 'changed');
  await eventually(() => expect(seen.changes).toBeGreaterThan(changes));
});

it('reports files of a convention that begins only now', async () => {
  const { repo, write } = given('README.md');
  const { seen, watches } = await watching(repo);
  expect(watches.count()).toBe(1);
  write('.devt/state/plan.md');
  await eventually(() => expect(watches.count()).toBe(3));
  const { changes } = seen;
  write('.devt/state/review.md');
  await eventually(() => expect(seen.changes).toBeGreaterThan(changes));
});

it('watches a directory again that was replaced, and ends the watch of one that is gone', async () => {
  const { repo, write } = given('.devt/state/plan.md');
  const { seen, watches } = await watching(repo);
  renameSync(join(repo, '.devt'), join(repo, 'old'));
  await eventually(() => expect(watches.count()).toBe(1));
  write('.devt/state/plan.md');
  await eventually(() => expect(watches.count()).toBe(3));
  const { changes } = seen;
  write('.devt/state/review.md');
  await eventually(() => expect(seen.changes).toBeGreaterThan(changes));
  rmSync(join(repo, '.devt'), { recursive: true });
  await eventually(() => expect(watches.count()).toBe(1));
});

it('shares one watch between viewers, and ends it with the last one', async () => {
  const { repo } = given('.devt/state/plan.md');
  const first = await watching(repo);
  const second = await watching(repo, first.watches);
  expect(first.watches.count()).toBe(3);
  first.stop();
  first.stop();
  expect(first.watches.count()).toBe(3);
  second.stop();
  expect(first.watches.count()).toBe(0);
});

it('knows only directories in which contract files can be', () => {
  const { repo } = given(
    'src/a/b/c.ts',
    'node_modules/x/y.js',
    '.devt/state/.archive/old/plan.md',
    '.claude/projects/2026-11-23-login/research/deep/er/a.md',
    '.claude/other/a.md',
  );
  expect(directories(repo)).toEqual([
    '',
    '.claude',
    '.claude/projects',
    '.claude/projects/2026-11-23-login',
    '.claude/projects/2026-11-23-login/research',
    '.devt',
    '.devt/state',
  ]);
});

it('takes one watch where one file is enough', () => {
  const { repo } = given(
    '_docs/00_problem/input_data/a/b/c.csv',
    '.devt/state/threads/t/a.md',
    '.claude/projects/2026-11-23-login/data/a.csv',
  );
  expect(directories(repo).slice(2)).toEqual([
    '.claude/projects',
    '.claude/projects/2026-11-23-login',
    '.devt',
    '.devt/state',
    '.devt/state/threads',
    '_docs',
    '_docs/00_problem',
    '_docs/00_problem/input_data',
  ]);
});

it('follows no link', () => {
  const { repo, outside } = given('.claude/projects/2026-11-23-login/plan.md');
  mkdirSync(join(outside, 'state'));
  symlinkSync(outside, join(repo, '.devt'));
  symlinkSync(outside, join(repo, '.claude/projects/linked'));
  expect(directories(repo)).toEqual(['', '.claude', '.claude/projects', '.claude/projects/2026-11-23-login']);
});

it('watches a bounded number of directories', () => {
  const { repo } = given(...Array.from({ length: 500 }, (_, nth) => `.claude/projects/p${nth}/plan.md`));
  expect(directories(repo)).toHaveLength(200);
});

it('ignores names of the repository that no contract has', async () => {
  const { repo, write } = given('.devt/state/plan.md');
  const notices = new Map<string, (name: string | undefined, cameOrWent: boolean) => void>();
  const watches = createContractWatches({
    watch: async (directory, onNotice) => {
      notices.set(directory, onNotice);
      return { close() {} };
    },
  });
  let changes = 0;
  onTestFinished(
    watches.watch(repo, () => {
      changes += 1;
    }),
  );
  await eventually(() => expect(changes).toBe(1));
  notices.get(repo)?.('README.md', true);
  notices.get(join(repo, '.devt'))?.('config.yaml', true);
  write('.devt/state/review.md');
  notices.get(join(repo, '.devt/state'))?.('review.md', true);
  await eventually(() => expect(changes).toBe(2));
});
