import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readerDiffs } from '../../../../daemon/core/run/lanes.ts';
import { keepWorktree } from '../../../../daemon/engine/performers/keepWorktree.ts';
import { removeDetachedWorktree } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { given } from '../../repository/merge/given.ts';
import { gitPorts } from '../local/support/performing.ts';

test('a reader whose worktree is gone finds its diffs in the new one', async () => {
  const { repo, runDir, base, commitOn } = given({ 'a.txt': 'one\n' });
  const fixed = commitOn('lane-1', { 'a.txt': 'two\n' });
  const head = commitOn('lane-1', { 'a.txt': 'three\n' }, fixed);
  const path = join(runDir, 'review-1');
  onTestFinished(() => removeDetachedWorktree({ repoPath: repo.dir, path }));
  const diffs = readerDiffs(path, 'review', { base, from: fixed });
  const reader = { repoPath: repo.dir, path, branch: '', startCommit: head, isDetached: true as const, diffs };
  const read = () => diffs.map((diff) => readFileSync(diff.path, 'utf8').match(/^[-+]\w+/gm));
  const expected = [
    ['-one', '+three'],
    ['-two', '+three'],
  ];
  expect(await keepWorktree('run', reader, gitPorts)).toBe(true);
  expect(read()).toEqual(expected);
  expect(await keepWorktree('run', reader, gitPorts)).toBe(false);
  rmSync(path, { recursive: true });
  expect(await keepWorktree('run', reader, gitPorts)).toBe(true);
  expect(read()).toEqual(expected);
});
