import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hash } from '../../../schemas/hash.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { TriedSetup } from '../../../schemas/rpc/views/repository.ts';
import { outputTail } from '../../commands/outputTail.ts';
import { endLeftovers, howEnded, startOrAdopt } from '../../commands/runner.ts';
import { removeLeftovers } from '../../discovery/removeLeftovers.ts';
import type { Git } from '../../repository/git/git.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { checkoutDetached, NO_BRANCH, removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';
import { setUpDirectly } from '../../setup/setUpDirectly.ts';

export interface TrySetup {
  repoPath: string;
  /** Identifies the repository. */
  repository: string;
  commit: string;
  setup: WorktreeSetup | undefined;
  verify: readonly string[][];
  /** A directory of devflow for this alone. */
  scratchDir: string;
  filters: string[];
  timeoutMs: number;
  signal: AbortSignal;
  now(): Date;
}

/**
 * Sets up a worktree of its own and runs the checks there, as a run would. Leaves nothing behind, also when the signal aborts.
 * No other try may use the directory.
 */
export async function trySetup(input: TrySetup, git: Git): Promise<TriedSetup> {
  const { repoPath, scratchDir, commit, filters, signal } = input;
  const scratch = join(scratchDir, hash(input.repository).slice(0, 12));
  const [path, dir] = [join(scratch, 'worktree'), join(scratch, 'commands')];
  const remove = async () => {
    await removeDetachedWorktree({ repoPath, path }, git);
    await removeLeftovers(scratchDir);
  };
  // A daemon that was killed leaves its try.
  await remove();
  try {
    signal.throwIfAborted();
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const worktree = await checkoutDetached({ repoPath, path, commit, filters }, git);
    return await run({ ...input, worktree, dir }, git);
  } finally {
    await remove();
  }
}

async function run(input: TrySetup & { worktree: string; dir: string }, git: Git): Promise<TriedSetup> {
  const { repoPath, commit, setup, verify, dir, worktree, timeoutMs, signal, now } = input;
  const privateGit = await openPrivateGit({ repoPath, path: worktree, branch: NO_BRANCH, head: commit }, git);
  const began = now().getTime();
  const names = { DEVFLOW_RUN: 'try', DEVFLOW_LANE: 'try', DEVFLOW_WORKTREE: worktree, DEVFLOW_CHECKOUT: repoPath };
  const end =
    setup && (await setUpDirectly({ privateGit, setup, dir, id: 'try', env: names, timeoutMs, signal, now }, git));
  const setupMs = now().getTime() - began;
  const placed = end?.placed.map(({ path: at, how }) => ({ path: at, how })) ?? [];
  const done = { setupMs, placed, changed: end?.changed ?? [], excluded: end?.excluded ?? [] };
  if (end?.failed) {
    const { argv, result } = end.failed;
    const reason = end.reason ?? howEnded(result, timeoutMs);
    return {
      ...done,
      setUp: false,
      checks: [{ argv: [...argv], ok: false, reason, output: outputTail(result), ms: setupMs }],
    };
  }
  const env = end?.env ?? names;
  const checks: TriedSetup['checks'] = [];
  for (const [index, argv] of verify.entries()) {
    const commandId = `try-check-${index}`;
    const startedAt = now();
    const command = { commandId, argv, cwd: worktree, dir, env, timeoutMs, startedAt, signal };
    const result = await startOrAdopt(command).finally(() => endLeftovers(dir, commandId, worktree));
    signal.throwIfAborted();
    const ok = result.exitCode === 0 && !result.timedOut;
    const ms = result.endedAt.getTime() - startedAt.getTime();
    checks.push({
      argv,
      ok,
      reason: ok ? null : howEnded(result, timeoutMs),
      output: ok ? '' : outputTail(result),
      ms,
    });
  }
  return { ...done, setUp: true, checks };
}
