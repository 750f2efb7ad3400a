import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCleanup, createRecording } from '../../../../../daemon/api/runs/cleanup.ts';
import { createCleanupEnded } from '../../../../../daemon/api/runs/ends/cleanupEnded.ts';
import { replay } from '../../../../../daemon/core/replay.ts';
import type { Lane, Run } from '../../../../../daemon/core/run/state.ts';
import type { RunEngine } from '../../../../../daemon/engine/runEngine.ts';
import { addWorktree } from '../../../../../daemon/repository/worktree/addWorktree.ts';
import type { GitCommandRow } from '../../../../../daemon/store/gitCommands.ts';
import { lanePath, runDir } from '../../../../../schemas/files/paths.ts';
import type { ParsedParams, RpcResult } from '../../../../../schemas/rpc/methods/index.ts';
import { commitWork } from '../../../../helpers/commitWork.ts';
import { readHistory } from '../../../../helpers/givenHistory.ts';
import { scratchRepo } from '../../../../helpers/repo.ts';

type Params = ParsedParams<'run.cleanupEnded'>;
type Result = RpcResult<'run.cleanupEnded'>;

/** A repository with ended runs, and what cleans them up. */
export function givenEnds() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const ended = replay(readHistory('happy')) as Run;
  const [main] = ended.lanes as [Lane];
  const runs: Run[] = [];
  const recorded: GitCommandRow[] = [];
  const bases = new Map<string, string>();
  let reads = 0;

  /** An ended run that left nothing. */
  function addRow({ dir = repo.dir, lanes = [] as readonly string[], host = null as string | null } = {}): Run {
    const id = randomUUID();
    const workspaceRoot = join(repo.root, 'ws');
    const pathOf = (lane: string) =>
      lane === 'main' ? join(runDir(workspaceRoot, id), 'main') : lanePath(workspaceRoot, id, lane);
    const all = [main, ...lanes.map((lane) => ({ ...main, id: lane, phaseId: 'phase', roleId: 'coder' }))];
    const base = repo.git('rev-parse', 'main');
    const run: Run = {
      ...ended,
      ...{ id, host, workspaceRoot, repoPath: dir, worktreeRoot: pathOf('main'), baseCommit: base, lastCommit: null },
      phases: ended.phases.map((phase) => ({ ...phase, commits: [] })),
      lanes: all.map((lane) => ({ ...lane, path: pathOf(lane.id), branch: `devflow/${id}/${lane.id}`, base })),
    };
    runs.push(run);
    return run;
  }

  /** An ended run with its worktrees, and with a commit in that of `main`. */
  async function addRun(lanes: readonly string[] = []): Promise<Run> {
    const run = addRow({ lanes });
    const { id, repoPath } = run;
    for (const { path, branch, base } of run.lanes) await addWorktree({ repoPath, path, branch, startCommit: base });
    const { path, branch, base } = run.lanes[0] as Lane;
    writeFileSync(join(path, `${id}.txt`), 'work\n');
    const trailers = { run: id, phase: 'p', attempt: 1 };
    await commitWork({ worktree: { repoPath, path, branch }, since: base, subject: 'Work', trailers });
    return run;
  }

  const engine = {
    readRun: async (runId: string) => {
      reads += 1;
      return runs.find(({ id }) => id === runId);
    },
    settled: async () => {},
  } as unknown as RunEngine;
  const parts = {
    ...{ engine, filters: [], log: { warn: () => {} } },
    gitCommands: { add: async (rows: readonly GitCommandRow[]) => void recorded.push(...rows) },
  };
  const cleanUp = createCleanup(parts);
  const call = createCleanupEnded({
    ...{ engine, cleanUp, recording: createRecording(parts) },
    here: { id: 'here', shared: true, unpinned: 'here' },
    readBases: async () => bases,
    listEnded: async () =>
      runs.map(({ id, host, repoPath, lanes }) => ({
        ...{ runId: id, title: 'A run', host, repoPath },
        worktrees: lanes.map(({ path }) => path),
      })),
  });
  const ask = (more: Partial<Params>) => call({ applied: false, branches: false, dryRun: false, ...more });

  return {
    repo,
    recorded,
    bases,
    addRow,
    addRun,
    ask,
    plan: (more: Partial<Params> = {}) => ask({ ...more, dryRun: true }),
    reads: () => reads,
    branches: () => repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'),
  };
}

/** What a person who agrees to a plan sends. */
export function agreedTo({ runs }: Result): NonNullable<Params['agreed']> {
  return runs
    .filter(({ goes }) => goes.length > 0)
    .map(({ runId, goes }) => ({
      runId,
      heads: goes.flatMap(({ branch, head }) => (branch && head ? [{ branch, head }] : [])),
    }));
}

/** `goes` and `kept` of a run in short: `worktree`, `branch only_here`. */
export function inShort({ runs }: Result, { id }: Pick<Run, 'id'>): string[] {
  const found = runs.find(({ runId }) => runId === id);
  const kept = found?.kept.map(({ what, why }) => `${what} ${why}`) ?? [];
  return [...(found?.goes.map(({ what }) => what) ?? []), ...kept];
}
