import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Run } from '../../../../../daemon/core/run/state.ts';
import { countEnds } from '../../../../../daemon/repository/ends/countEnds.ts';
import { givenEnds } from './given.ts';

const rowOf = ({ id, repoPath, lanes }: Run) => ({ runId: id, repoPath, worktrees: lanes.map(({ path }) => path) });

it('counts worktrees and branches of ended runs alone, and the bytes of files, not of links', async () => {
  const at = givenEnds();
  const [first, second] = [await at.addRun(['lane-1']), await at.addRun()];
  const gone = at.addRow({ dir: join(at.repo.root, 'gone') });
  at.repo.git('branch', 'devflow/open/main');
  const before = await countEnds([first, second, gone].map(rowOf), 60_000);
  expect(before).toMatchObject({ worktrees: 3, branches: 3, atLeast: false });
  const inside = join(first.worktreeRoot, 'deep/er');
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'a.bin'), Buffer.alloc(100_000));
  symlinkSync('/', join(inside, 'root'));
  expect((await countEnds([first, second, gone].map(rowOf), 60_000)).bytes - before.bytes).toBe(100_000);
});

it('still counts the worktrees when there is no time for their sizes', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  const count = await countEnds([rowOf(run)], 0);
  expect(count).toMatchObject({ worktrees: 1, bytes: expect.any(Number) });
});
