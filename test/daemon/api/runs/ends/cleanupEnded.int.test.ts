import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Lane, Run } from '../../../../../daemon/core/run/state.ts';
import { agreedTo, givenEnds, inShort } from './given.ts';

type Given = ReturnType<typeof givenEnds>;
const ALL = { branches: true } as const;
const branchOf = ({ id }: Run) => `devflow/${id}/main`;
const mainOf = ({ lanes }: Run) => lanes[0] as Lane;

/** How a person took the work over, and why its branch stays. */
const WAYS: [string, (at: Given, branch: string) => void, string | null][] = [
  ['a fast-forward', ({ repo }, branch) => repo.git('merge', '-q', '--ff-only', branch), null],
  ['a merge', ({ repo }, branch) => repo.git('merge', '-q', '--no-ff', '-m', 'Merge', branch), null],
  ['another branch of the person', ({ repo }, branch) => repo.git('branch', 'mine', branch), null],
  ['nothing', () => {}, 'only_here'],
  [
    'a squash',
    ({ repo }, branch) => {
      repo.git('merge', '-q', '--squash', branch);
      repo.git('commit', '-qm', `Work\n\nDevflow-Run: ${branch.split('/')[1]}`);
    },
    'squash',
  ],
  [
    'a cherry-pick',
    ({ repo }, branch) => {
      repo.commit({ 'other.txt': 'x\n' });
      repo.git('cherry-pick', branch);
    },
    'squash',
  ],
  [
    'a rebase',
    ({ repo }, branch) => {
      repo.commit({ 'other.txt': 'x\n' });
      repo.git('branch', 'rebased', branch);
      repo.git('rebase', '-q', 'main', 'rebased');
      repo.git('switch', '-q', 'main');
    },
    'squash',
  ],
  [
    'a fast-forward that was set back',
    ({ repo }, branch) => {
      repo.git('merge', '-q', '--ff-only', branch);
      repo.git('reset', '-q', '--hard', 'HEAD~1');
    },
    'only_here',
  ],
  [
    'a symbolic ref',
    ({ repo }, branch) => repo.git('symbolic-ref', 'refs/heads/alias', `refs/heads/${branch}`),
    'only_here',
  ],
  ['a tag', ({ repo }, branch) => repo.git('tag', 'kept', branch), 'only_here'],
  ['another branch of devflow', ({ repo }, branch) => repo.git('branch', 'devflow/other/main', branch), 'only_here'],
  [
    'a branch checked out elsewhere',
    ({ repo }, branch) => {
      repo.git('branch', 'mine', branch);
      repo.git('worktree', 'add', '-q', '--force', join(repo.root, 'elsewhere'), branch);
    },
    'checked_out',
  ],
];

test.each(WAYS)('after %s a branch goes only if a branch of the person has its commits', async (_, takeOver, why) => {
  const at = givenEnds();
  const run = await at.addRun();
  takeOver(at, branchOf(run));
  const expected = why === null ? ['worktree', 'branch'] : ['worktree', `branch ${why}`];
  const plan = await at.plan(ALL);
  expect(inShort(plan, run)).toEqual(expected);
  expect(existsSync(mainOf(run).path)).toBe(true);
  expect(at.branches()).toContain(branchOf(run));

  expect(inShort(await at.ask({ ...ALL, agreed: agreedTo(plan) }), run)).toEqual(expected);
  expect(existsSync(mainOf(run).path)).toBe(false);
  expect(at.branches().includes(branchOf(run))).toBe(why !== null);
  const left = why === null ? [] : [`branch ${why}`];
  expect(inShort(await at.ask(ALL), run)).toEqual(left);
});

describe('with --applied', () => {
  it('takes only runs whose commits a branch of the person has, also of lanes', async () => {
    const at = givenEnds();
    const merged = await at.addRun();
    at.repo.git('merge', '-q', '--ff-only', branchOf(merged));
    const open = await at.addRun(['lane-1']);
    const plan = await at.plan({ applied: true });
    expect(inShort(plan, merged)).toEqual(['worktree']);
    expect(inShort(plan, open)).toEqual(['worktree only_here', 'worktree only_here']);
    await at.ask({ applied: true });
    expect(open.lanes.map(({ path }) => existsSync(path))).toEqual([true, true]);
    expect(existsSync(mainOf(merged).path)).toBe(false);
    expect(at.branches()).toContain(branchOf(merged));
  });

  it('takes a run that devflow squashed, as long as a branch of the person has the squash, and keeps its branch', async () => {
    const at = givenEnds();
    const run = await at.addRun();
    const onto = at.repo.git('rev-parse', 'main');
    at.repo.git('merge', '-q', '--squash', branchOf(run));
    at.repo.git('commit', '-qm', 'Work');
    const plan = async () => inShort(await at.plan({ ...ALL, applied: true }), run);
    expect(await plan()).toEqual(['worktree only_here', 'branch only_here']);
    const head = at.repo.git('rev-parse', branchOf(run));
    const applied = { target: 'main', commit: at.repo.git('rev-parse', 'main'), onto, head, way: 'squash' as const };
    run.applied.push({ ...applied, at: run.updatedAt });
    expect(await plan()).toEqual(['worktree', 'branch only_here']);
    at.repo.git('reset', '-q', '--hard', onto);
    expect(await plan()).toEqual(['worktree only_here', 'branch only_here']);
    run.applied.push({ ...applied, commit: 'a'.repeat(40), at: run.updatedAt });
    expect(await plan()).toEqual(['worktree only_here', 'branch only_here']);
  });
});

describe('a worktree stays', () => {
  async function merged() {
    const at = givenEnds();
    const run = await at.addRun(['lane-1']);
    at.repo.git('merge', '-q', '--ff-only', branchOf(run));
    return { at, run, path: mainOf(run).path };
  }

  it('with its branch, if it has uncommitted changes, and the other lane goes', async () => {
    const { at, run, path } = await merged();
    writeFileSync(join(path, 'late\u001b[2J.txt'), 'late\n');
    const expected = ['worktree', 'branch', 'worktree uncommitted', 'branch worktree_stays'];
    expect(inShort(await at.plan(ALL), run)).toEqual(expected);
    const { runs } = await at.ask(ALL);
    expect(runs[0]?.kept[0]?.reason).toContain('late');
    expect(run.lanes.map((lane) => existsSync(lane.path))).toEqual([true, false]);
    expect(at.branches()).toEqual([branchOf(run), 'main']);
  });

  it('if a repository is inside', async () => {
    const { at, run, path } = await merged();
    at.repo.gitIn(path, 'init', '-q', join(path, 'vendor'));
    writeFileSync(join(path, 'vendor/a.txt'), 'a\n');
    expect(inShort(await at.plan(), run)).toEqual(['worktree', 'worktree nested_repository']);
    await at.ask({});
    expect(existsSync(join(path, 'vendor/a.txt'))).toBe(true);
  });

  it('if its branch is gone', async () => {
    const { at, run, path } = await merged();
    at.repo.git('update-ref', '-d', `refs/heads/${branchOf(run)}`);
    expect(inShort(await at.plan(), run)).toEqual(['worktree', 'worktree failed']);
    await at.ask({});
    expect(existsSync(path)).toBe(true);
  });

  it('if somebody works in it between the plan and the yes', async () => {
    const { at, run, path } = await merged();
    const plan = await at.plan();
    writeFileSync(join(path, 'late.txt'), 'late\n');
    const done = await at.ask({ agreed: agreedTo(plan) });
    expect(inShort(done, run)).toEqual(['worktree', 'worktree uncommitted']);
  });

  it('if the branch moves between the plan and the yes, and so does the branch', async () => {
    const { at, run } = await merged();
    const plan = await at.plan(ALL);
    at.repo.git('update-ref', `refs/heads/${branchOf(run)}`, 'main~1');
    const done = await at.ask({ ...ALL, agreed: agreedTo(plan) });
    expect(inShort(done, run)).toEqual(['worktree', 'branch', 'worktree moved', 'branch moved']);
    expect(at.branches()).toContain(branchOf(run));
  });
});

it('keeps the branch that an open run started from', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  at.repo.git('merge', '-q', '--ff-only', branchOf(run));
  at.bases.set(branchOf(run), 'run-2');
  expect(inShort(await at.plan(ALL), run)).toEqual(['worktree', 'branch base_of_run']);
  const { runs } = await at.ask(ALL);
  expect(runs[0]?.kept.map(({ reason }) => reason)).toEqual(['the open run run-2 started from it']);
  expect(at.branches()).toContain(branchOf(run));
  at.bases.clear();
  expect(inShort(await at.ask(ALL), run)).toEqual(['branch']);
});

it('keeps a branch that somebody uses in a way that no file of HEAD names', async () => {
  const at = givenEnds();
  const [linked, rebased] = [await at.addRun(), await at.addRun()];
  for (const run of [linked, rebased]) at.repo.git('branch', `mine-${run.id}`, branchOf(run));
  at.repo.git('worktree', 'add', '-q', '--force', join(at.repo.root, 'elsewhere'), branchOf(linked));
  const entry = join(at.repo.dir, '.git/worktrees/elsewhere');
  rmSync(join(entry, 'HEAD'));
  symlinkSync(`refs/heads/${branchOf(linked)}`, join(entry, 'HEAD'));
  mkdirSync(join(at.repo.dir, '.git/rebase-merge'));
  const moves = [`refs/heads/${branchOf(rebased)}`, 'a'.repeat(40), '0'.repeat(40), ''].join('\n');
  writeFileSync(join(at.repo.dir, '.git/rebase-merge/update-refs'), moves);
  const plan = await at.plan(ALL);
  expect([inShort(plan, linked), inShort(plan, rebased)]).toEqual([
    ['worktree', 'branch checked_out'],
    ['worktree', 'branch checked_out'],
  ]);
});

it('says that git failed, not that the branch moved, if a lock is left', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  at.repo.git('merge', '-q', '--ff-only', branchOf(run));
  const lock = join(at.repo.dir, '.git/refs/heads', `${branchOf(run)}.lock`);
  writeFileSync(lock, '');
  const { runs } = await at.ask(ALL);
  expect(runs[0]?.kept).toMatchObject([{ what: 'branch', why: 'failed', reason: expect.stringContaining('lock') }]);
  rmSync(lock);
  expect(inShort(await at.ask(ALL), run)).toEqual(['branch']);
});

it('names the commits that only a detached HEAD had, and keeps them by a ref', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  const { path } = mainOf(run);
  at.repo.gitIn(path, 'switch', '-q', '--detach');
  at.repo.gitIn(path, 'commit', '-q', '--allow-empty', '-m', 'Loose');
  const loose = at.repo.gitIn(path, 'rev-parse', 'HEAD');
  expect((await at.plan()).runs[0]).not.toHaveProperty('keptRefs');
  const { runs } = await at.ask({});
  expect(runs[0]?.goes).toHaveLength(1);
  expect(runs[0]?.keptRefs?.map((ref) => at.repo.git('rev-parse', ref))).toEqual([loose]);
});

it('does nothing to runs that were not in the plan', async () => {
  const at = givenEnds();
  const first = await at.addRun();
  const plan = await at.plan();
  const second = await at.addRun();
  await at.ask({ agreed: agreedTo(plan) });
  expect([first, second].map((run) => existsSync(mainOf(run).path))).toEqual([false, true]);
});

it('never deletes the branch that a symbolic branch of devflow names', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  at.repo.git('merge', '-q', '--ff-only', branchOf(run));
  at.repo.git('symbolic-ref', `refs/heads/${branchOf(run)}`, 'refs/heads/main');
  const main = at.repo.git('rev-parse', 'main');
  await at.ask(ALL);
  expect(at.repo.git('rev-parse', 'main')).toBe(main);
});

it('runs no hook of the repository, and records what its git changes', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  at.repo.git('merge', '-q', '--ff-only', branchOf(run));
  const hooks = join(at.repo.dir, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of ['reference-transaction', 'post-checkout', 'pre-commit', 'update']) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${join(at.repo.root, 'ran')}\n`, { mode: 0o755 });
  }
  expect(inShort(await at.ask(ALL), run)).toEqual(['worktree', 'branch']);
  expect(readdirSync(at.repo.root)).not.toContain('ran');
  expect(at.recorded.map(({ argv }) => argv[1])).toContain('update-ref');
});

it('goes on with a worktree that a kill left half removed', async () => {
  const at = givenEnds();
  const [renamed, gone] = [await at.addRun(), await at.addRun()];
  renameSync(mainOf(renamed).path, `${mainOf(renamed).path}.removing`);
  rmSync(mainOf(gone).path, { recursive: true });
  expect([inShort(await at.plan(), renamed), inShort(await at.plan(), gone)]).toEqual([['worktree'], ['worktree']]);
  await at.ask({});
  expect(at.repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(existsSync(`${mainOf(renamed).path}.removing`)).toBe(false);
  expect((await at.plan()).runs).toEqual([]);
});

it('names runs of another host, and those whose repository is gone', async () => {
  const at = givenEnds();
  const run = await at.addRun();
  const far = at.addRow({ host: 'far' });
  const away = `${at.repo.dir}-away`;
  renameSync(at.repo.dir, away);
  const plan = await at.plan();
  renameSync(away, at.repo.dir);
  expect([inShort(plan, run), inShort(plan, far)]).toEqual([['worktree repository_gone'], ['worktree other_host']]);
  expect(plan.runs.find(({ runId }) => runId === far.id)?.kept[0]?.reason).toBe(
    'its files are on host far: devflow cleanup --ended --host far',
  );
  expect(plan.done).toBe(true);
  const here = await at.plan({ host: 'here' });
  expect([inShort(here, run), inShort(here, far)]).toEqual([['worktree'], []]);
});

it('reads only the logs of runs that left something, of 300', async () => {
  const at = givenEnds();
  for (let nth = 0; nth < 298; nth += 1) at.addRow();
  const left = [await at.addRun(), await at.addRun()];
  const plan = await at.plan(ALL);
  expect(plan.runs.map(({ runId }) => runId)).toEqual(left.map(({ id }) => id));
  expect(plan.runs[0]?.goes[0]?.bytes).toBeGreaterThan(0);
  expect(at.reads()).toBe(2);
});
