import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { approvalDetail } from '../../../../daemon/api/approvals/approvalDetail.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Approval } from '../../../../daemon/core/run/state.ts';
import { scratchRepo } from '../../../helpers/repo.ts';
import { firstPhaseDone, given } from '../../core/support/given.ts';

/** The gate of a run whose repository is real and has these commits. */
function atGate() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const from = repo.git('rev-parse', 'HEAD');
  const to = repo.commit({ 'a.txt': 'a\n' });
  const { run: before } = given({ template: 'development' }, ...firstPhaseDone);
  const run = { ...before, repoPath: repo.dir, worktreeRoot: join(repo.root, 'gone'), branch: 'main' };
  const [gate] = openGates(run) as [Approval];
  const tree = repo.git('rev-parse', `${to}^{tree}`);
  const subject = (diff: object) => ({ ...gate.subject, diff, worktree: { head: to, tree, uncommitted: null } });
  const alarms = async (diff: object) => {
    const { sheet } = await approvalDetail(run, { ...gate, subject: subject(diff) });
    return sheet?.alarms.filter(({ code }) => code === 'unreadable').map(({ sentence }) => sentence);
  };
  return { repo, from, to, alarms };
}

test('a change whose commits are gone is an alarm, and one that can be read is none', async () => {
  const { from, to, alarms } = atGate();
  expect(await alarms({ from, to })).toEqual([]);
  expect(await alarms({ from, to: null })).toEqual([]);
  expect(await alarms({ from, to: 'f'.repeat(40) })).toEqual([
    `The change ${from.slice(0, 12)}..ffffffffffff cannot be read. The repository may have lost its commits.`,
  ]);
});

test('a worktree and a branch that are gone are an alarm at an open gate', async () => {
  const { repo, from, alarms } = atGate();
  rmSync(join(repo.dir, '.git'), { recursive: true });
  expect(await alarms({ from, to: null })).toEqual([
    'The worktree cannot be read, so nobody knows if it changed since this gate opened.',
  ]);
});
