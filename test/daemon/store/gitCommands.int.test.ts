import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Effect } from '../../../daemon/core/effect/effect.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { createPerform } from '../../../daemon/engine/local/perform.ts';
import type { PerformerPorts } from '../../../daemon/engine/performers/performer.ts';
import { createGit } from '../../../daemon/repository/git/git.ts';
import { createGitCommands } from '../../../daemon/store/gitCommands.ts';
import { findDifferences } from '../../../daemon/store/verify.ts';
import { noFaults } from '../../../daemon/system/faults.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { isolatedEnv, makeRepo } from '../../helpers/testRepo.ts';
import { newRun } from '../core/support/run.ts';
import { givenRuns } from '../db/given.ts';
import { silent } from '../engine/local/support/performing.ts';

const database = useDatabase();

/** Performs an effect of a run whose performer does `act` with git in a repository of the test's own. */
async function performing(
  act: (repo: string) => Promise<unknown>,
  gitCommands = createGitCommands(database().drizzle),
) {
  const root = mkdtempSync(join(tmpdir(), 'devflow-git-commands-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = makeRepo(join(root, 'repo'), isolatedEnv(join(root, 'home'))).dir;
  const [runId = ''] = await givenRuns(database(), 1);
  const add = vi.spyOn(gitCommands, 'add');
  const log = { ...silent, warn: vi.fn() };
  const ports = { log, gitCommands, faults: noFaults } as unknown as PerformerPorts;
  const lockBindings = async () => void (await act(repo));
  const perform = createPerform({ lockBindings } as never, ports);
  const outcome = await perform({ key: 'k', runId, type: 'lockBindings' } as Effect, new AbortController().signal);
  const { rows } = await database().pool.query('SELECT * FROM commands WHERE run_id = $1 ORDER BY started_at', [runId]);
  return { repo, runId, rows, outcome, add, log };
}

test('records git commands that change something, in one statement, but none that only read', async () => {
  const { repo, rows, add, runId } = await performing(async (dir) => {
    const git = createGit();
    await git.read(dir, ['status']);
    await git.run(dir, ['update-ref', 'refs/heads/one', 'HEAD']);
    await git.run(dir, ['update-ref', 'refs/heads/two', 'HEAD']);
  });
  expect(rows).toMatchObject([
    { kind: 'git', argv: ['git', 'update-ref', 'refs/heads/one', 'HEAD'], cwd: repo, exit_code: 0, stdout_path: null },
    { kind: 'git', argv: ['git', 'update-ref', 'refs/heads/two', 'HEAD'], cwd: repo, exit_code: 0, stderr_path: null },
  ]);
  expect(rows[0].ended_at.getTime()).toBeGreaterThanOrEqual(rows[0].started_at.getTime());
  expect(add).toHaveBeenCalledTimes(1);
  const run: Run = { ...newRun().run, id: runId };
  const differences = await findDifferences(database().pool, run);
  expect(differences.filter(({ path }) => path.startsWith('commands'))).toEqual([]);
});

test('records a failed git command with its exit code', async () => {
  const { rows, outcome } = await performing((dir) =>
    createGit().run(dir, ['update-ref', 'refs/heads/one', 'nothing']),
  );
  expect(rows).toMatchObject([{ argv: ['git', 'update-ref', 'refs/heads/one', 'nothing'], exit_code: 128 }]);
  expect(outcome).toMatchObject({ type: 'effectFailed', error: { code: 'git_failed' } });
});

test('makes no query for an effect without changes', async () => {
  const { add } = await performing((dir) => createGit().read(dir, ['log']));
  expect(add).not.toHaveBeenCalled();
});

test('logs a failed insert; the effect still succeeds', async () => {
  const broken = { add: () => Promise.reject(new Error('no room')) };
  const { outcome, log } = await performing((dir) => createGit().run(dir, ['branch', 'one']), broken);
  expect(outcome).toBeUndefined();
  expect(log.warn).toHaveBeenCalledTimes(1);
});
