import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openExternal } from '../../../daemon/db/external.ts';
import { addWorktree } from '../../../daemon/repository/worktree/addWorktree.ts';
import { runDir } from '../../../schemas/files/paths.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { EndOfRun } from '../../../schemas/rpc/views/ends.ts';
import { commitWork } from '../../helpers/commitWork.ts';
import { startDaemon, type TestDaemon } from '../../helpers/daemon.ts';
import { deadlyGit } from '../../helpers/deadlyGit.ts';
import { type Replayed, replayRuns } from '../../helpers/replayRuns.ts';
import { seatRobot } from '../../helpers/robot.ts';
import type { TestRepo } from '../../helpers/testRepo.ts';
import { deskFor } from '../dashboard.ts';

const RUNS = 300;
/** So many runs of each of the five repositories still have their worktrees. */
const WORKTREES = 4;

const branchOf = (runId: string) => `devflow/${runId}/main`;

/** What a person did with a run's work: by it nothing is safe to remove, or only the worktree is. */
const UNSAFE: readonly [kept: string[], (repo: TestRepo, run: Replayed, path: string) => void][] = [
  [['worktree uncommitted', 'branch worktree_stays'], (_, __, path) => writeFileSync(join(path, 'late.txt'), 'late\n')],
  [['branch only_here'], (repo) => repo.git('reset', '-q', '--hard', 'HEAD~1')],
  [
    ['branch squash'],
    (repo, { runId }) => {
      repo.git('reset', '-q', '--soft', 'HEAD~1');
      repo.git('commit', '-qm', `Squash\n\nDevflow-Run: ${runId}`);
    },
  ],
  [
    ['worktree nested_repository', 'branch worktree_stays'],
    (repo, _, path) => repo.git('-C', path, 'init', '-q', join(path, 'vendor')),
  ],
  [['branch checked_out'], (repo, { runId }) => repo.git('switch', '-q', '--ignore-other-worktrees', branchOf(runId))],
];

/** A worktree with a commit that the checked out branch has. */
async function addWork(repo: TestRepo, run: Replayed, branch: string): Promise<string> {
  const place = { repoPath: repo.dir, path: join(runDir(run.workspaceRoot, run.runId), 'main'), branch };
  const since = repo.git('rev-parse', 'main');
  await addWorktree({ ...place, startCommit: since });
  writeFileSync(join(place.path, `${run.runId}.txt`), 'work\n');
  const trailers = { run: run.runId, phase: 'implement', attempt: 1 };
  const { commit } = await commitWork({ worktree: place, since, subject: 'Work', trailers });
  run.head = commit as string;
  repo.git('merge', '-q', '--ff-only', branch);
  return place.path;
}

/** 300 ended runs of five repositories, by their number. In each repository, one of four worktrees holds what is not safe. */
async function givenRuns(daemon: TestDaemon) {
  const repos = UNSAFE.map(() => daemon.repo());
  const runs: Replayed[] = [];
  const unsafe = new Map<string, readonly string[]>();
  const safe: string[] = [];
  for (let nth = 0; nth < RUNS; nth += 1) {
    const at = nth % repos.length;
    const repo = repos[at] as TestRepo;
    const run: Replayed = {
      ...{ runId: derivedId('of many', nth), repoPath: repo.dir, workspaceRoot: daemon.workspaceRoot },
      ...{ baseCommit: repo.git('rev-parse', 'main'), head: 'f'.repeat(40) },
      requirementsMd: `# Greet person ${nth} by name\n\nBe polite.${nth === 123 ? ' Mind the flamingo.' : ''}`,
      ...(nth === 217 ? { title: 'Feed the quokka' } : {}),
    };
    runs.push(run);
    const isLast = nth >= (WORKTREES - 1) * repos.length;
    if (nth >= WORKTREES * repos.length) continue;
    const path = await addWork(repo, run, branchOf(run.runId));
    const [kept, spoil] = UNSAFE[at] as (typeof UNSAFE)[number];
    if (isLast) {
      spoil(repo, run, path);
      unsafe.set(run.runId, kept);
    } else safe.push(run.runId);
  }
  const database = await openExternal({ url: daemon.env.DEVFLOW_DATABASE_URL ?? '' });
  try {
    await replayRuns(database, runs);
  } finally {
    await database.close();
  }
  return { repos, idOf: (nth: number) => runs[nth]?.runId ?? '', safe, unsafe };
}

const inShort = ({ kept }: EndOfRun) => kept.map(({ what, why }) => `${what} ${why}`);

test('finds one of 300 runs of five repositories, and removes what is safe, also after a kill -9 in between', async () => {
  const daemon = await startDaemon();
  const { repos, idOf, safe, unsafe } = await givenRuns(daemon);
  const [first] = repos as [TestRepo];
  for (const nth of [0, 7, 123, 217, 299]) {
    expect(await daemon.call('run.verify', { runId: idOf(nth) })).toMatchObject({ ok: true, differences: [] });
  }

  const listed = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await daemon.cli(['ls', '--json', ...words]);
    return JSON.parse(stdout).map(({ runId }: { runId: string }) => runId);
  };
  expect(await listed('--all')).toHaveLength(RUNS);
  expect(await listed('--search', 'QUOKKA')).toEqual([idOf(217)]);
  expect(await listed('--search', 'flamingo')).toEqual([idOf(123)]);
  expect(await listed('--search', 'person 123')).toEqual([idOf(123)]);
  expect(await listed('--all', '--repo', first.dir)).toHaveLength(RUNS / repos.length);
  const own = repos[123 % repos.length] as TestRepo;
  expect(await listed('--search', 'flamingo', '--repo', own.dir)).toEqual([idOf(123)]);
  expect(await listed('--search', 'flamingo', '--repo', first.dir)).toEqual([]);

  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'find', { columns: 120, rows: 36 });
  robot.type(`exec ${desk.devflow} tui`);
  robot.press('Enter');
  await robot.sees('Greet person');
  robot.type('/flamingo');
  robot.press('Enter');
  await robot.sees('Greet person 123 by name');
  await robot.loses('Greet person 299');
  robot.press('q');

  const all = ['cleanup', '--ended', '--branches', '--yes'];
  const git = deadlyGit(daemon, 3);
  await daemon.restart(git.env);
  const plan = await daemon.call('run.cleanupEnded', { branches: true, dryRun: true });
  expect(plan.runs).toHaveLength(WORKTREES * repos.length);
  const [killed] = await Promise.all([daemon.cli(all), daemon.exited()]);
  expect(killed.code).not.toBe(0);
  expect(git.deleted()).toHaveLength(3);

  await daemon.start(git.env);
  const done = await daemon.cli([...all, '--json']);
  expect(done).toMatchObject({ code: 0 });
  const { runs }: { runs: EndOfRun[] } = JSON.parse(done.stdout);
  expect(git.deleted().toSorted()).toEqual(safe.map(branchOf).toSorted());
  const went = runs.flatMap(({ goes }) => goes.flatMap(({ branch, what }) => (what === 'branch' && branch) || []));
  expect([...git.deleted().slice(0, 3), ...went].toSorted()).toEqual(safe.map(branchOf).toSorted());
  const kept = new Map(runs.filter((run) => run.kept.length > 0).map((run) => [run.runId, inShort(run)]));
  expect(kept).toEqual(unsafe);
  const stays = ([, [reason = '']]: [string, readonly string[]]) => reason.startsWith('worktree');
  const pathOf = (runId: string) => join(runDir(daemon.workspaceRoot, runId), 'main');
  expect([...safe, ...unsafe.keys()].filter((runId) => existsSync(pathOf(runId)))).toEqual(
    [...unsafe].filter(stays).map(([runId]) => runId),
  );

  const again = await daemon.cli(all);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('No ended run left anything that can go.') });
  for (const runId of unsafe.keys()) expect(again.stdout).toContain(runId.slice(0, 8));
  expect(git.deleted()).toHaveLength(safe.length);
  expect(await listed('--search', 'flamingo')).toEqual([idOf(123)]);
});
