import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitResolution } from '../../../../daemon/repository/conflict/commitResolution.ts';
import { prepareConflict } from '../../../../daemon/repository/conflict/prepareConflict.ts';
import { proveResolution } from '../../../../daemon/repository/conflict/proveResolution.ts';
import { AT, lines } from '../merge/given.ts';
import { callAndDie } from '../merge/killed.ts';
import { givenConflict, HUNK, RESOLVED } from './givenConflict.ts';

/** What the agent of the lane committed after its turn, and the commit. */
async function givenLate() {
  const at = await givenConflict();
  return { ...at, late: at.commitLate('lane-1') };
}

describe('a conflict of a lane whose agent committed after its turn', () => {
  it('has these commits in it, and its resolution too', async () => {
    const { late, ...at } = await givenLate();
    const first = await at.prepare();
    expect(first).toMatchObject({ files: [{ path: 'f.txt' }], late });
    expect(await at.prepare()).toEqual(first);
    expect(at.tip('lane-1')).toBe(late);
    expect(at.git('status', '--porcelain').split('\n').sort()).toEqual(['A  main.txt', 'D  old.txt', 'UU f.txt']);
    at.put('f.txt', RESOLVED);
    const sides = { worktree: at.worktree, head: late, onto: at.onto };
    const proof = await proveResolution({ ...sides, hunks: [HUNK] });
    expect(proof).toMatchObject({ ok: true });
    const { tree } = proof as { tree: string };
    await commitResolution({ ...sides, tree, runId: 'run', laneId: 'lane-1', at: AT });
    expect(at.repo.git('log', '-1', '--format=%P', at.worktree.branch)).toBe(`${late} ${at.onto}`);
    expect(at.git('show', 'HEAD:late.txt')).toBe('late');
  });

  it('begins anew with another commit of main, although nobody recorded these commits', async () => {
    const { late, ...at } = await givenLate();
    await at.prepare();
    const onto = at.commitOn('main', { 'f.txt': lines('1', '2', 'newer', '4', '5') }, at.onto);
    const next = { ...at.input, onto, attempt: 2 };
    expect(await prepareConflict(next)).toMatchObject({ files: [{ theirs: { text: '1\n2\nnewer\n4\n5' } }], late });
    expect(at.tip('lane-1')).toBe(late);
  });

  it.each([
    ['read-tree -m -u', 'midst'],
    ['read-tree -m -u', 'after'],
    ['update-index -z --index-info', 'after'],
  ] as const)('is the same after a kill at %s, %s', async (point, when) => {
    const { late, ...at } = await givenLate();
    const half = join(at.worktree.path, 'main.txt');
    callAndDie(at, 'prepareConflict', at.input, { at: point, when, half, gone: join(at.worktree.path, 'f.txt') });
    expect(await at.prepare()).toMatchObject({ files: [{ path: 'f.txt' }], late });
    expect(at.read('lane-1', 'late.txt')).toBe('late\n');
  });
});
