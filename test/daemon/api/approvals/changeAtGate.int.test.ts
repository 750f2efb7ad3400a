import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { diffAtGate, fileDiffAtGate } from '../../../../daemon/api/approvals/changeAtGate.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const from = repo.git('rev-parse', 'HEAD');
  const to = repo.commit({ 'a.txt': 'a\n' });
  const run = {
    id: 'run',
    repoPath: repo.dir,
    worktreeRoot: join(repo.root, 'gone'),
    branch: 'main',
    reviewHead: null,
    exchangePaths: [],
  } as unknown as Run;
  const gate = (diff: unknown) => ({ subject: { diff } }) as unknown as Approval;
  return { repo, run, gate, from, to };
}

test('a change is shown while its worktree is gone, and read once for all readers', async () => {
  const { repo, run, gate, from, to } = given();
  const first = await diffAtGate(run, gate({ from, to }));
  expect(first).toMatchObject({ base: from, head: to, files: [{ path: 'a.txt', insertions: 1, deletions: 0 }] });
  renameSync(repo.dir, `${repo.dir}-elsewhere`);
  expect(await diffAtGate(run, gate({ from, to }))).toBe(first);
});

test('a commit that the repository lost has no change, and nothing is remembered', async () => {
  const { run, gate, from } = given();
  const lost = gate({ from, to: 'f'.repeat(40) });
  expect(await diffAtGate(run, lost)).toBeNull();
  expect(await fileDiffAtGate(run, lost, 'a.txt')).toBeUndefined();
  expect(await diffAtGate(run, lost)).toBeNull();
});

test('a gate without a change has none', async () => {
  const { run, gate, from } = given();
  for (const diff of [undefined, { from, to: null }]) expect(await diffAtGate(run, gate(diff))).toBeNull();
  expect(await fileDiffAtGate(run, gate({ from, to: null }), 'a.txt')).toBeUndefined();
});
