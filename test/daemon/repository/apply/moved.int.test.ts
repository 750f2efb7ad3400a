import { describe, expect, it } from 'vitest';
import { given, stateOf, WORK } from './given.ts';

/** Somebody commits on the branch of the run after its end. */
function moved() {
  const all = given();
  const { repo } = all;
  repo.git('switch', '-q', WORK);
  repo.commit({ 'late.txt': 'late\n' }, 'Slip in');
  const late = repo.git('rev-parse', 'HEAD');
  repo.git('switch', '-q', 'main');
  return { ...all, late };
}

const gate = (commit: string) => ({ commit, source: 'gate' as const });

const WAYS = [{ way: 'auto' }, { way: 'merge' }, { way: 'squash' }, { way: 'branch', newBranch: 'mine' }] as const;

describe('commits after the approval', () => {
  it.each(WAYS)('are refused, and taken if a person names them: $way', async (wish) => {
    const { repo, head, late, apply, preview } = moved();
    const before = stateOf(repo);
    await expect(apply(wish)).rejects.toMatchObject({
      code: 'branch_moved',
      message: `The branch ${WORK} has 1 commit that came after the approved commit ${head.slice(0, 12)}: ${late.slice(0, 12)} "Slip in".`,
      recoveryHint: expect.stringContaining(`log -p ${head.slice(0, 12)}..${late.slice(0, 12)}`),
      data: { approved: head, head: late, commits: [{ commit: late, subject: 'Slip in' }] },
    });
    expect(stateOf(repo)).toBe(before);
    const { moved: seen, blocked, lines } = await preview(wish);
    expect(seen).toMatchObject({ approved: head, head: late, hasApproved: true, commitCount: 1 });
    expect(blocked).toBeNull();
    expect(lines.join('\n')).toContain(head);
    expect(lines.join('\n')).not.toMatch(new RegExp(`${late}|${WORK}`));
    await expect(apply({ ...wish, acceptedHead: head.slice(0, 12) })).rejects.toMatchObject({ code: 'branch_moved' });
    expect(await apply({ ...wish, acceptedHead: late.slice(0, 12) })).toMatchObject({ applied: true, head: late });
  });

  it.each(WAYS)('stay out if a person names the approved commit: $way', async (wish) => {
    const { repo, head, late, apply } = moved();
    await expect(apply({ ...wish, at: late })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`is not the approved commit ${head.slice(0, 12)} of`),
    });
    expect(await apply({ ...wish, at: head.slice(0, 8) })).toMatchObject({ applied: true, head, moved: null });
    const target = 'newBranch' in wish ? wish.newBranch : 'main';
    expect(repo.git('ls-tree', '--name-only', target)).not.toContain('late.txt');
  });

  it('are refused for a run that made none itself', async () => {
    const { late, baseCommit, apply } = moved();
    const none = { lastCommit: null, accepted: [{ commit: baseCommit, source: 'start' as const }] };
    await expect(apply(none)).rejects.toMatchObject({
      code: 'branch_moved',
      message: expect.stringContaining(`after the run's starting commit ${baseCommit.slice(0, 12)}: `),
      data: { approved: baseCommit },
    });
    expect(await apply({ ...none, acceptedHead: late })).toMatchObject({ applied: true });
  });

  it('are refused before anything else that is in the way', async () => {
    const { repo, apply } = moved();
    repo.write({ 'README.md': 'mine\n' });
    await expect(apply()).rejects.toMatchObject({ code: 'branch_moved' });
  });

  it("come after devflow's last commit if no person approved it", async () => {
    const { head, late, apply } = moved();
    const last = `devflow's last commit ${head.slice(0, 12)}`;
    await expect(apply({ accepted: [{ commit: head, source: 'devflow' }] })).rejects.toMatchObject({
      message: `The branch ${WORK} has 1 commit that came after ${last}: ${late.slice(0, 12)} "Slip in".`,
      recoveryHint: expect.stringContaining(`Apply only ${last}: `),
    });
  });

  it('count as approved if a gate showed them', async () => {
    const { head, late, apply } = moved();
    expect(await apply({ accepted: [gate(head), gate(late)] })).toMatchObject({
      applied: true,
      head: late,
      moved: null,
    });
  });

  it('are nothing to refuse if the branch has them already', async () => {
    const { late, apply } = moved();
    await apply({ acceptedHead: late });
    expect(await apply()).toMatchObject({ does: 'nothing', applied: false });
  });
});

describe('a branch without its approved commit', () => {
  it('is refused, and named in the preview', async () => {
    const { repo, head, baseCommit, apply, preview } = given();
    repo.git('branch', '-qf', WORK, baseCommit);
    const refused = {
      code: 'branch_moved',
      message: `The branch ${WORK} no longer has the approved commit ${head.slice(0, 12)}.`,
    };
    expect((await preview()).blocked).toMatchObject(refused);
    await expect(apply()).rejects.toMatchObject(refused);
    await expect(apply({ way: 'branch', newBranch: 'mine' })).rejects.toMatchObject(refused);
    expect(await apply({ acceptedHead: baseCommit })).toMatchObject({ does: 'nothing' });
    expect(await apply({ at: head })).toMatchObject({ applied: true, head });
    expect(await apply()).toMatchObject({ does: 'nothing' });
  });

  it('is refused if an earlier approved commit is all that it has', async () => {
    const { repo, head, baseCommit, apply } = given();
    repo.git('branch', '-qf', WORK, baseCommit);
    await expect(apply({ accepted: [gate(head), gate(baseCommit)] })).rejects.toMatchObject({ code: 'branch_moved' });
  });

  it('is refused if the approved commit is gone from the repository', async () => {
    const { baseCommit, apply } = given();
    const gone = '1234567890'.repeat(4);
    await expect(apply({ lastCommit: gone, accepted: [gate(gone), gate(baseCommit)] })).rejects.toMatchObject({
      code: 'branch_moved',
      data: { approved: gone },
    });
    await expect(apply({ accepted: [gate(gone)], at: gone })).rejects.toMatchObject({ code: 'branch_missing' });
  });
});
