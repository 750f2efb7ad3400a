import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { runDir, worktreePath } from '../../../schemas/files/paths.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import type { ParsedParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { runState } from '../../../schemas/states/run.ts';
import { lastCommit } from '../../engine/core/run/query.ts';
import type { Run } from '../../engine/core/run/state.ts';
import type { LocalEngine } from '../../engine/local/engine.ts';
import { type GitChange, recordingGit } from '../../harness/git/gitRecord.ts';
import { exists } from '../../harness/git/repositoryFiles.ts';
import { worktreeOf } from '../../harness/git/worktreePlace.ts';
import { cleanupWorktree } from '../../harness/worktree/cleanupWorktree.ts';
import { registerWorktree } from '../../harness/worktree/restoreWorktree.ts';
import { uncommittedFiles } from '../../harness/worktree/worktreeStatus.ts';
import type { GitCommands } from '../../store/gitCommands.ts';

type Result = RpcResult<'run.cleanup'>;

/**
 * Removes the worktree of an ended run, and keeps its branch. Removing uncommitted work needs a decision at a separate
 * gate, and devflow keeps a copy of it.
 */
export function createCleanup(parts: {
  engine: LocalEngine;
  gitCommands: GitCommands;
  filters: string[];
  log: Pick<Logger, 'warn'>;
}): (run: Run, options: Omit<ParsedParams<'run.cleanup'>, 'runId'>) => Promise<Result> {
  const { engine, gitCommands, filters, log } = parts;
  const recordGit = (runId: string) => (changes: GitChange[]) =>
    gitCommands
      .add(changes.map((change) => ({ runId, phaseId: null, ...change })))
      .catch((err: unknown) => log.warn({ runId, err }, 'git calls were not recorded'));
  return async (run, { lane = 'main', force }) => {
    const runId = run.id;
    if (!isTerminal(run.state)) {
      const message = `Run ${runId} still needs its worktrees: its state is ${runState(run).word}.`;
      throw new DevflowError('state_conflict', message, { runId });
    }
    const path = worktreePath(run.workspaceRoot, runId, lane);
    const present = await exists(path);
    if (!present && path !== run.worktreeRoot)
      throw new DevflowError('not_found', `Run ${runId} has no worktree ${path}.`);
    const startCommit = lastCommit(run) ?? run.baseCommit;
    // If git has lost its entry of the worktree, git cannot say what is committed.
    if (present && path === run.worktreeRoot)
      await registerWorktree({ ...worktreeOf(run), path, startCommit, filters });
    const gate = present && force ? await passGate(engine, run, lane, path) : { open: null, passed: false };
    if (gate.open) return waiting(runId, path, gate.open);
    // A crash may have left git's entry of a directory that is gone. The repository may be gone as well.
    let refs: { keptRefs?: string[] } = {};
    if (present || (await exists(run.repoPath))) {
      const dir = runDir(run.workspaceRoot, runId);
      const { keptRefs } = await recordingGit(recordGit(runId), () =>
        cleanupWorktree({ ...worktreeOf(run), path, runDir: dir, laneId: lane, force: gate.passed }),
      );
      refs = keptRefs ? { keptRefs } : {};
    }
    if (!present) return { runId, removed: [], gone: [{ path }], kept: [], approvalId: null, ...refs };
    return { runId, removed: [{ path, branch: run.branch }], gone: [], kept: [], approvalId: null, ...refs };
  };
}

function waiting(runId: string, path: string, approvalId: string): Result {
  const reason = 'it has uncommitted work: approve the gate, then ask again';
  return { runId, removed: [], gone: [], kept: [{ path, reason }], approvalId };
}

/** The gate binds the files as they are: later changes need a new decision. */
async function passGate(engine: LocalEngine, run: Run, lane: string, path: string) {
  const files = await uncommittedFiles({ ...worktreeOf(run), path });
  if (files.length === 0) return { open: null, passed: false };
  const filesHash = sha256hex(JSON.stringify(await Promise.all(files.map((file) => stampOf(path, file)))));
  const asked = run.approvals.filter(({ kind, artifactHash }) => kind === 'cleanup' && artifactHash === filesHash);
  if (asked.some(({ state }) => state === 'approved')) return { open: null, passed: true };
  const pending = asked.find(({ state }) => state === 'pending');
  return { open: pending?.id ?? (await engine.askCleanup(run.id, { lane, path, files, filesHash })), passed: false };
}

/** Size and time show that a file was written again, without reading a file that may be large. */
async function stampOf(worktree: string, file: string): Promise<[string, number | null, number | null]> {
  const facts = await lstat(join(worktree, file)).catch(() => undefined);
  return [file, facts?.size ?? null, facts?.mtimeMs ?? null];
}
