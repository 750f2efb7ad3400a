import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EffectOf } from '../../../../../daemon/core/effect/effect.ts';
import { prepareLane } from '../../../../../daemon/kinds/lanes/performers/prepareLane.ts';
import { uncommittedFiles } from '../../../../../daemon/repository/worktree/worktreeStatus.ts';
import { gitPorts } from '../../../engine/local/support/performing.ts';
import { givenConflict } from '../../../repository/conflict/givenConflict.ts';
import { AT } from '../../../repository/merge/given.ts';

const { signal } = new AbortController();

/** A lane that conflicts with main, to prepare. */
async function givenLane() {
  const at = await givenConflict({ 'f.txt': 'lane\n' }, { 'f.txt': 'main\n', 'main.txt': 'main\n' });
  const { head, onto, worktree } = at;
  const perform = (more: Partial<EffectOf<'prepareLane'>>) => {
    const lane = { ...worktree, startCommit: head };
    const facts = { runId: 'run', phaseId: 'phase', laneId: 'lane-1', lane, onto, conflict: null, writeSet: ['f.txt'] };
    return prepareLane({ ...facts, at: AT, ...more } as EffectOf<'prepareLane'>, gitPorts, signal);
  };
  return { ...at, perform };
}

it('brings main into a lane that ended with a conflict in its worktree', async () => {
  const at = await givenLane();
  const { worktree, head } = at;
  await at.prepare();
  at.put('f.txt', 'half-done\n');
  const newer = at.commitOn('main', { 'main.txt': 'newer\n' });
  expect(await at.perform({ onto: newer })).toMatchObject({ head: at.tip('lane-1'), conflicts: [], outside: [] });
  expect(at.repo.git('log', '-1', '--format=%P', worktree.branch)).toBe(`${head} ${newer}`);
  expect([at.read('lane-1', 'f.txt'), at.read('lane-1', 'main.txt')]).toEqual(['lane\n', 'newer\n']);
  expect(await uncommittedFiles(worktree)).toEqual([]);
  expect(at.repo.git('for-each-ref', 'refs/devflow/kept').split('\n')).toHaveLength(1);
});

it('gives the commits that an agent made after its turn to the agent that resolves the conflict', async () => {
  const at = await givenLane();
  const late = at.commitLate('lane-1');
  expect(await at.perform({})).toMatchObject({ head: at.head, conflicts: ['f.txt'] });
  const conflict = { path: join(at.worktree.path, '.devflow', 'conflict-1.md'), nth: 1, ours: '', theirs: '' };
  expect(await at.perform({ conflict })).toMatchObject({ head: late, conflicts: ['f.txt'] });
  expect(at.tip('lane-1')).toBe(late);
});
