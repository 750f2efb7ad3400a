import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EffectOf } from '../../../../../daemon/core/effect/effect.ts';
import type { PerformerPorts } from '../../../../../daemon/engine/performers/performer.ts';
import { commitResolution } from '../../../../../daemon/kinds/lanes/performers/commitResolution.ts';
import { prepareConflict } from '../../../../../daemon/repository/conflict/prepareConflict.ts';
import { noFaults } from '../../../../../daemon/system/faults.ts';
import { sha256hex } from '../../../../../schemas/hash.ts';
import { AT, given } from '../../../repository/merge/given.ts';

const ports = { faults: noFaults } as unknown as PerformerPorts;
const { signal } = new AbortController();

/** A prepared conflict, and a commit with the trailer of devflow that an agent can make of its files. */
async function givenResolution() {
  const at = given();
  const head = at.commitOn('lane-1', { 'f.txt': 'lane\n' });
  const onto = at.commitOn('main', { 'f.txt': 'main\n' });
  const worktree = await at.open('lane-1');
  await prepareConflict({ worktree, laneId: 'lane-1', head, onto, attempt: 1 });
  const hunks = [{ path: 'f.txt', decision: 'combined', dropped: [], reason: 'because' }];
  const text = JSON.stringify({ hunks });
  const storedPath = join(at.repo.root, 'artifact.json');
  writeFileSync(storedPath, text);
  const effect = {
    phaseId: 'phase',
    laneId: 'lane-1',
    assignment: 'task',
    lane: { ...worktree, startCommit: head },
    onto,
    artifact: { path: 'artifact.json', storedPath, hash: sha256hex(text) },
    writeSet: ['**'],
    at: AT,
    runId: 'run',
    acceptsDroppedTests: false,
  } as unknown as EffectOf<'commitResolution'>;
  const git = (...args: string[]) => at.repo.gitIn(worktree.path, ...args);
  const commitAs = (content: string) => {
    writeFileSync(join(worktree.path, 'f.txt'), content);
    git('add', '-A', '--', 'f.txt');
    const message = 'Resolve\n\nDevflow-Lane: lane-1';
    git('update-ref', 'HEAD', git('commit-tree', git('write-tree'), '-p', head, '-p', onto, '-m', message));
    return at.tip('lane-1');
  };
  return { git, commitAs, branch: worktree.branch, perform: () => commitResolution(effect, ports, signal) };
}

it("refuses an agent's own commit that looks like one of devflow", async () => {
  const { commitAs, perform } = await givenResolution();
  commitAs('neither\n');
  expect(await perform()).toMatchObject({ faults: [expect.stringContaining('but devflow makes the commit')] });
});

it('says that the branch is gone', async () => {
  const { git, branch, perform } = await givenResolution();
  git('update-ref', '-d', `refs/heads/${branch}`);
  expect(await perform()).toMatchObject({ faults: [expect.stringContaining(`The branch ${branch} is gone`)] });
});

it('takes a commit of an earlier call whose tree is right, and clears the index of the conflict', async () => {
  const { git, commitAs, perform } = await givenResolution();
  const commit = commitAs('lane\nmain\n');
  git('rm', '-q', '--cached', 'f.txt');
  expect(await perform()).toMatchObject({ faults: [], committed: { head: commit } });
  expect(git('status', '--porcelain')).toBe('');
});
