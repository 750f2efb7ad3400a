import { expect, test } from 'vitest';
import { endsDiagnosis } from '../../../daemon/doctor/checks/endedRuns.ts';

const FEW = { worktrees: 3, branches: 1, bytes: 2 ** 20, atLeast: false };

test.each([
  [{ ...FEW, worktrees: 0, branches: 0, bytes: 0 }, 'pass', 'no worktree or branch is left'],
  [{ ...FEW, worktrees: 0, branches: 2 }, 'pass', '2 branches'],
  [FEW, 'pass', '3 worktrees and 1 branch, 1.0 MB'],
  [{ ...FEW, atLeast: true }, 'pass', '3 worktrees and 1 branch, at least 1.0 MB'],
  [{ ...FEW, worktrees: 50 }, 'warn', '50 worktrees and 1 branch, 1.0 MB'],
  [{ ...FEW, bytes: 20 * 2 ** 30 }, 'warn', '3 worktrees and 1 branch, 20 GB'],
])('warns of many or large worktrees of ended runs: %j', (count, status, detail) => {
  expect(endsDiagnosis(count)).toMatchObject({ status, detail });
});
