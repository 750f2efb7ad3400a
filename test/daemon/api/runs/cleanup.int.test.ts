import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createCleanup } from '../../../../daemon/api/runs/cleanup.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Lane, Run } from '../../../../daemon/core/run/state.ts';
import { onSignal } from '../../../../daemon/core/transition.ts';
import type { RunEngine } from '../../../../daemon/engine/runEngine.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { checkoutDetached } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import type { GitCommandRow } from '../../../../daemon/store/gitCommands.ts';
import type { ApprovalDecisionAction } from '../../../../schemas/enums.ts';
import { integrationPath, lanePath, runDir } from '../../../../schemas/files/paths.ts';
import { readHistory } from '../../../helpers/givenHistory.ts';
import { changeUnseen, makeLarge } from '../../../helpers/largeFile.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

const NOW = '2026-01-02T03:04:05.000Z';

/** An ended run with `main`, two lanes and the worktree for merges. */
async function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const ended = replay(readHistory('happy')) as Run;
  const workspaceRoot = join(repo.root, 'ws');
  const base = repo.git('rev-parse', 'HEAD');
  const [main] = ended.lanes as [Lane];
  const lanes = [main, ...['lane-1', 'lane-2'].map((id) => ({ ...main, id, phaseId: 'phase', roleId: 'coder' }))];
  let run: Run = {
    ...ended,
    workspaceRoot,
    repoPath: repo.dir,
    worktreeRoot: join(runDir(workspaceRoot, ended.id), 'main'),
    baseCommit: base,
    phases: ended.phases.map((phase) => ({ ...phase, commits: [] })),
    lastCommit: null,
    lanes: lanes.map((lane) => ({ ...lane, path: pathOf(lane.id), branch: `devflow/${ended.id}/${lane.id}`, base })),
  };
  for (const { path, branch } of run.lanes) await addWorktree({ repoPath: repo.dir, path, branch, startCommit: base });
  const integration = integrationPath(workspaceRoot, run.id);
  await checkoutDetached({ repoPath: repo.dir, path: integration, commit: base });

  function pathOf(id: string): string {
    return id === 'main' ? join(runDir(workspaceRoot, ended.id), 'main') : lanePath(workspaceRoot, ended.id, id);
  }
  function signal(input: Parameters<typeof onSignal>[1]): Run {
    const next = onSignal(run, input, NOW);
    if ('refused' in next) throw next.refused;
    run = next.run;
    return run;
  }
  const engine = {
    async askCleanup(_runId: string, request: Parameters<RunEngine['askCleanup']>[1]) {
      const { approvals } = signal({ type: 'askCleanup', ...request });
      return approvals.findLast(({ phaseKey }) => phaseKey === request.lane)?.id ?? '';
    },
  } as unknown as RunEngine;
  const recorded: GitCommandRow[] = [];
  const gitCommands = { add: async (rows: readonly GitCommandRow[]) => void recorded.push(...rows) };
  const cleanUp = createCleanup({ engine, gitCommands, filters: [], log: { warn: () => {} } });
  return {
    repo,
    integration,
    recorded,
    pathOf,
    run: () => run,
    clean: (options: { lane?: string; force?: boolean } = {}) => cleanUp(run, { force: false, ...options }),
    decide: (approvalRequestId: string, action: ApprovalDecisionAction) =>
      signal({ type: 'decide', approvalRequestId, action, clientToken: approvalRequestId, comment: null }),
    branches: () => repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/devflow').split('\n').sort(),
    worktrees: () => repo.git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm)?.length,
  };
}

let place: Awaited<ReturnType<typeof given>>;
beforeEach(async () => {
  place = await given();
});

it('removes the worktrees of all lanes and of merges, and keeps the branches', async () => {
  const { clean, run, integration, branches, worktrees, recorded, repo } = place;
  const paths = run().lanes.map(({ path }) => path);
  expect(await clean()).toEqual({
    runId: run().id,
    removed: [...run().lanes.map(({ path, branch }) => ({ path, branch })), { path: integration, branch: null }],
    gone: [],
    kept: [],
    approvalId: null,
  });
  expect([...paths, integration].filter(existsSync)).toEqual([]);
  expect(branches()).toEqual(
    run()
      .lanes.map(({ branch }) => branch)
      .sort(),
  );
  expect(worktrees()).toBe(1);
  expect(repo.git('worktree', 'prune', '--dry-run', '--verbose')).toBe('');
  expect(new Set(recorded.map(({ laneId }) => laneId))).toEqual(new Set(['main', 'lane-1', 'lane-2']));

  const gone = paths.map((path) => ({ path }));
  expect(await clean()).toMatchObject({ removed: [], gone, kept: [] });
});

it('removes one lane alone, and refuses a lane that the run does not have', async () => {
  const { clean, pathOf, integration } = place;
  expect(await clean({ lane: 'lane-2' })).toMatchObject({ removed: [{ path: pathOf('lane-2') }], gone: [] });
  expect([pathOf('main'), pathOf('lane-1'), integration].every(existsSync)).toBe(true);
  await expect(clean({ lane: 'lanes' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('has no lane lanes; it has main, lane-1, lane-2'),
  });
});

it('a lane with uncommitted work does not keep the other lanes', async () => {
  const { clean, pathOf } = place;
  writeFileSync(join(pathOf('lane-1'), 'new.txt'), 'precious\n');
  await expect(clean({ lane: 'lane-1' })).rejects.toMatchObject({ code: 'worktree_dirty' });
  const { removed, kept, approvalId } = await clean();
  expect(removed).toHaveLength(3);
  expect(kept).toEqual([{ path: pathOf('lane-1'), reason: expect.stringContaining('new.txt'), approvalId: null }]);
  expect(approvalId).toBeNull();
  expect(readFileSync(join(pathOf('lane-1'), 'new.txt'), 'utf8')).toBe('precious\n');
});

it('asks at a gate for each lane with uncommitted work, and keeps a copy of what it removes', async () => {
  const { clean, pathOf, decide, run, branches } = place;
  for (const lane of ['lane-1', 'lane-2']) writeFileSync(join(pathOf(lane), 'new.txt'), `of ${lane}\n`);
  const { kept, approvalId } = await clean({ force: true });
  expect(kept.map(({ path }) => path)).toEqual([pathOf('lane-1'), pathOf('lane-2')]);
  const [first = '', second = ''] = kept.map((each) => each.approvalId ?? '');
  expect(new Set([first, second, '']).size).toBe(3);
  expect(approvalId).toBe(first);
  expect((await clean({ force: true })).kept).toEqual(kept);

  decide(first, 'approve');
  decide(second, 'reject');
  const { removed, kept: left } = await clean({ force: true });
  expect(removed.map(({ path }) => path)).toEqual([pathOf('lane-1')]);
  expect(left.map(({ path }) => path)).toEqual([pathOf('lane-2')]);
  const salvage = join(runDir(run().workspaceRoot, run().id), 'salvage');
  expect(readdirSync(salvage)).toEqual(['lane-1-1']);
  expect(readFileSync(join(salvage, 'lane-1-1', 'files', 'new.txt'), 'utf8')).toBe('of lane-1\n');
  expect(branches()).toHaveLength(3);
});

it('asks again if a file changed after the approval, even with its time put back', async () => {
  const { clean, pathOf, decide } = place;
  const file = join(pathOf('lane-1'), 'new.bin');
  makeLarge(file, 2000);
  const { approvalId } = await clean({ lane: 'lane-1', force: true });
  decide(approvalId ?? '', 'approve');
  changeUnseen(file, 'x');
  const again = await clean({ lane: 'lane-1', force: true });
  expect(again).toMatchObject({ removed: [], approvalId: expect.any(String) });
  expect(again.approvalId).not.toBe(approvalId);
});

it('forgets lanes and the worktree for merges whose directories are gone', async () => {
  const { clean, pathOf, integration, worktrees } = place;
  for (const path of [pathOf('lane-1'), integration]) rmSync(path, { recursive: true });
  expect(await clean()).toMatchObject({ gone: [{ path: pathOf('lane-1') }], kept: [] });
  expect(worktrees()).toBe(1);
});

it('names what it could not remove when the repository is gone', async () => {
  const { clean, repo, run } = place;
  const away = `${repo.dir}-away`;
  renameSync(repo.dir, away);
  const { removed, kept } = await clean();
  renameSync(away, repo.dir);
  expect(removed).toEqual([]);
  expect(kept).toHaveLength(run().lanes.length + 1);
});
