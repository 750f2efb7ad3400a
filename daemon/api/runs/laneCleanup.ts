import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { DevflowError } from '../../../schemas/errors.ts';
import { runDir } from '../../../schemas/files/paths.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { cleanupGates } from '../../core/gates/cleanupGate.ts';
import { placeOf } from '../../core/run/lanes.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { tearDownPlace } from '../../engine/performers/tearDownPlace.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { exists } from '../../repository/git/repositoryFiles.ts';
import type { WorktreePlace } from '../../repository/git/worktreePlace.ts';
import { cleanupWorktree } from '../../repository/worktree/cleanupWorktree.ts';
import { removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { uncommittedFiles } from '../../repository/worktree/worktreeStatus.ts';

/** The results for the worktrees. */
export type Cleaned = Partial<Pick<RpcResult<'run.cleanup'>, 'removed' | 'gone' | 'kept' | 'keptRefs'>>;

/** Removes the worktree of one lane. Throws `worktree_dirty` if it has uncommitted work and `force` is not set. */
export function createLaneCleanup({
  engine,
  filters,
  log,
}: {
  engine: RunEngine;
  filters: string[];
  log: Pick<Logger, 'warn'>;
}) {
  return async (run: Run, lane: Lane, force: boolean): Promise<Cleaned> => {
    const place = placeOf(run, lane.id);
    const { path, branch } = place;
    const isPresent = await exists(path);
    // If git has lost its entry of the worktree, git cannot say what is committed.
    if (isPresent) await registerWorktree({ ...place, filters });
    const gate = isPresent && force ? await passGate(engine, run, lane, place) : { open: null, passed: false };
    if (gate.open !== null) {
      const reason = 'it has uncommitted work: approve the gate, then ask again';
      return { kept: [{ path, reason, approvalId: gate.open }] };
    }
    const goes = isPresent && (gate.passed || (await uncommittedFiles(place)).length === 0);
    if (lane.setup && goes) await tearDownPlace(run, { ...place, name: lane.id }, log);
    // A crash may have left git's entry of a directory that is gone. The repository may be gone as well.
    const hasEntry = isPresent || (await exists(run.repoPath));
    const target = { ...place, runDir: runDir(run.workspaceRoot, run.id), laneId: lane.id, force: gate.passed };
    const { keptRefs } = hasEntry ? await cleanupWorktree(target) : {};
    return { ...(isPresent ? { removed: [{ path, branch }] } : { gone: [{ path }] }), keptRefs };
  };
}

/** The gate binds the files as they are: later changes need a new decision. */
async function passGate(
  engine: RunEngine,
  run: Run,
  { id: lane }: Lane,
  place: WorktreePlace,
): Promise<{ open: string | null; passed: boolean }> {
  const { path } = place;
  const files = await uncommittedFiles(place);
  if (files.length === 0) return { open: null, passed: false };
  const filesHash = sha256hex(JSON.stringify(await Promise.all(files.map((file) => stampOf(path, file)))));
  const asked = cleanupGates(run, lane).filter(({ artifactHash }) => artifactHash === filesHash);
  if (asked.some(({ state }) => state === 'approved')) return { open: null, passed: true };
  const pending = asked.find(({ state }) => state === 'pending');
  return { open: pending?.id ?? (await engine.askCleanup(run.id, { lane, path, files, filesHash })), passed: false };
}

/** Size and times show that a file was written again, without reading a file that may be large. Nobody can set `ctime` back. */
async function stampOf(worktree: string, file: string): Promise<(string | number | null)[]> {
  const facts = await lstat(join(worktree, file)).catch(() => undefined);
  return [file, facts?.size ?? null, facts?.mtimeMs ?? null, facts?.ctimeMs ?? null];
}

/** Removes a worktree without a branch, which never holds anybody's work: of checks, or of a reviewer. */
export async function removeDetached({ repoPath }: Run, path: string): Promise<Cleaned> {
  const isPresent = await exists(path);
  try {
    if (isPresent || (await exists(repoPath))) await removeDetachedWorktree({ repoPath, path });
  } catch (error) {
    return keptFor(path, error);
  }
  return isPresent ? { removed: [{ path, branch: null }] } : {};
}

/** A worktree that could not be removed, and why. */
export function keptFor(path: string, error: unknown): Cleaned {
  if (!(error instanceof DevflowError)) throw error;
  return { kept: [{ path, reason: `${error.message} ${error.recoveryHint ?? ''}`.trimEnd(), approvalId: null }] };
}
