import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { updateLane } from '../../../../daemon/repository/merge/updateLane.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { AT, given, lines } from './given.ts';
import { callAndDie } from './killed.ts';

/** A lane with a commit, and main with another one. */
async function givenLane(main: Record<string, string> = { 'f.txt': lines('one', '2', '3', '4', '5') }) {
  const at = given();
  const head = at.commitOn('lane-1', { 'lane.txt': 'lane\n', 'f.txt': lines('1', '2', '3', '4', 'five') });
  const onto = at.commitOn('main', main);
  const worktree = await at.open('lane-1');
  const input = { worktree, head, onto, runId: 'run', laneId: 'lane-1', at: AT };
  return { ...at, head, onto, worktree, input };
}

describe('updating a lane', () => {
  it("merges main's newest commit into it, with the files of its worktree", async () => {
    const { repo, head, onto, worktree, input, read, tip } = await givenLane();
    const updated = await updateLane(input);
    expect(updated).toEqual({ commit: tip('lane-1') });
    expect(repo.git('log', '-1', '--format=%P', worktree.branch)).toBe(`${head} ${onto}`);
    expect(repo.git('log', '-1', '--format=%B', worktree.branch)).toBe(
      'devflow: merge main into lane-1\n\nDevflow-Run: run\nDevflow-Lane: lane-1',
    );
    expect(read('lane-1', 'f.txt')).toBe(lines('one', '2', '3', '4', 'five'));
    expect(repo.gitIn(worktree.path, 'status', '--porcelain')).toBe('');
    expect(await updateLane(input)).toEqual(updated);
  });

  it('takes the commit as it is if one contains the other', async () => {
    const { base, head, onto, input } = await givenLane();
    expect(await updateLane({ ...input, onto: base })).toEqual({ commit: head });
    const { commit } = (await updateLane(input)) as { commit: string };
    expect(await updateLane({ ...input, head: commit })).toEqual({ commit });
    expect(onto).not.toBe(commit);
  });

  it('moves a lane without commits to it', async () => {
    const at = given();
    const worktree = await at.open('lane-1');
    const onto = at.commitOn('main', { 'new.txt': 'new\n' });
    const input = { worktree, head: at.base, onto, runId: 'run', laneId: 'lane-1', at: AT };
    expect(await updateLane(input)).toEqual({ commit: onto });
    expect(at.read('lane-1', 'new.txt')).toBe('new\n');
  });

  it('names the files of a conflict and changes nothing', async () => {
    const { head, worktree, input, tip } = await givenLane({ 'f.txt': lines('1', '2', '3', '4', 'FIVE') });
    expect(await updateLane(input)).toEqual({ conflict: ['f.txt'] });
    expect(tip('lane-1')).toBe(head);
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });

  it('replaces its own merge if main has moved meanwhile', async () => {
    const at = await givenLane();
    await updateLane(at.input);
    const onto = at.commitOn('main', { 'later.txt': 'later\n' }, at.onto);
    const updated = await updateLane({ ...at.input, onto });
    expect(updated).toEqual({ commit: at.tip('lane-1') });
    expect(at.repo.git('log', '-1', '--format=%P', at.worktree.branch)).toBe(`${at.head} ${onto}`);
    expect(at.read('lane-1', 'later.txt')).toBe('later\n');
    expect(await updateLane({ ...at.input, onto })).toEqual(updated);
  });

  it('follows main if the lane has no commits', async () => {
    const at = given();
    const worktree = await at.open('lane-1');
    const first = at.commitOn('main', { 'new.txt': 'new\n' });
    const onto = at.commitOn('main', { 'later.txt': 'later\n' }, first);
    const input = { worktree, head: at.base, runId: 'run', laneId: 'lane-1', at: AT };
    await updateLane({ ...input, onto: first });
    expect(await updateLane({ ...input, onto })).toEqual({ commit: onto });
    expect(at.read('lane-1', 'later.txt')).toBe('later\n');
  });

  it('says which commit the branch has if it moved', async () => {
    const at = await givenLane();
    const other = at.commitOn('lane-1', { 'other.txt': 'x\n' });
    expect(await updateLane(at.input)).toEqual({ raced: other });
  });

  it('takes in what the agent committed after its turn', async () => {
    const at = await givenLane();
    const { repo, worktree, input } = at;
    const late = at.commitLate('lane-1');
    const updated = await updateLane(input);
    expect(updated).toEqual({ commit: at.tip('lane-1'), late: true });
    expect(repo.git('log', '-1', '--format=%P', worktree.branch)).toBe(`${late} ${at.onto}`);
    expect(at.read('lane-1', 'late.txt')).toBe('late\n');
    expect(at.read('lane-1', 'f.txt')).toBe(lines('one', '2', '3', '4', 'five'));
    expect(await uncommittedFiles(worktree)).toEqual([]);
    expect(await updateLane(input)).toEqual(updated);
  });

  it('refuses to overwrite uncommitted work', async () => {
    const { worktree, input, head, tip } = await givenLane();
    writeFileSync(join(worktree.path, 'f.txt'), 'mine\n');
    await expect(updateLane(input)).rejects.toMatchObject({ code: 'git_failed' });
    expect(tip('lane-1')).toBe(head);
  });

  it.each([
    ['commit-tree', 'after'],
    ['update-ref', 'after'],
    ['read-tree -m -u', 'midst'],
    ['read-tree -m -u', 'after'],
  ] as const)('makes the same commit after a kill at %s, %s', async (point, when) => {
    const at = await givenLane();
    callAndDie(at, 'updateLane', at.input, { at: point, when, half: join(at.worktree.path, 'f.txt') });
    expect(await updateLane(at.input)).toEqual({ commit: at.tip('lane-1') });
    expect(at.read('lane-1', 'f.txt')).toBe(lines('one', '2', '3', '4', 'five'));
    expect(await uncommittedFiles(at.worktree)).toEqual([]);
    const twin = at.repo.git('rev-list', '--count', '--all', '--grep=Devflow-Lane');
    expect(twin).toBe('1');
  });
});
