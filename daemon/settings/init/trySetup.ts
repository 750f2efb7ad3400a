import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../../schemas/defined.ts';
import { hash } from '../../../schemas/hash.ts';
import { worktreeEnvironment } from '../../../schemas/repository/variables.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { TriedSetup } from '../../../schemas/rpc/views/repository.ts';
import { outputTail } from '../../commands/outputTail.ts';
import { type CommandInput, endLeftovers, howEnded, startOrAdopt } from '../../commands/runner.ts';
import { removeLeftovers } from '../../discovery/removeLeftovers.ts';
import { openPrivateGit, type PrivateGit } from '../../repository/privateGit/privateGit.ts';
import { checkoutDetached, NO_BRANCH, removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';
import { type SetupEnd, setUpDirectly, setupVariables } from '../../setup/setUpDirectly.ts';
import { readSetupState } from '../../setup/setupState.ts';
import { tearDown } from '../../setup/tearDown.ts';

type Variables = Record<string, string>;

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
  /** The sandbox for the commands. `linked`: what the worktree links to in the checkout. Absent: none. */
  confine?(command: { worktree: string; dir: string; linked: readonly string[] }): NonNullable<CommandInput['within']>;
  signal: AbortSignal;
  now(): Date;
}

/** The longest wait for each command of the teardown; shorter if nobody waits for the answer. */
const TEARDOWN_MS = { asked: 60_000, gone: 5_000 };

/**
 * Sets up a worktree of its own and runs the checks there, as a run would. Leaves nothing behind, also when the signal aborts.
 * No other try may use the directory.
 */
export async function trySetup(input: TrySetup): Promise<TriedSetup> {
  const { repoPath, scratchDir, commit, filters, signal } = input;
  const scratch = join(scratchDir, hash(input.repository).slice(0, 12));
  const [path, dir] = [join(scratch, 'worktree'), join(scratch, 'commands')];
  const remove = async () => {
    // Its commands first: they could write into the worktree while it is removed.
    await removeLeftovers(scratchDir);
    await removeDetachedWorktree({ repoPath, path });
  };
  // A daemon that was killed leaves its try.
  await remove();
  try {
    signal.throwIfAborted();
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const worktree = await checkoutDetached({ repoPath, path, commit, filters });
    return await run({ ...input, worktree, dir });
  } finally {
    await remove();
  }
}

async function run(input: TrySetup & { worktree: string; dir: string }): Promise<TriedSetup> {
  const { repoPath, commit, setup, dir, worktree, timeoutMs, signal, now } = input;
  const privateGit = await openPrivateGit({ repoPath, path: worktree, branch: NO_BRANCH, head: commit });
  const names = { DEVFLOW_RUN: 'try', DEVFLOW_LANE: 'try', DEVFLOW_WORKTREE: worktree, DEVFLOW_CHECKOUT: repoPath };
  const within = confinedBy(input, privateGit);
  const began = now().getTime();
  const facts = { privateGit, dir, id: 'try', now, ...within };
  try {
    const end = setup && (await setUpDirectly({ ...facts, setup, env: names, timeoutMs, signal }));
    return await tried({ ...input, ...within, env: end?.env ?? names, began }, end);
  } finally {
    if (setup) {
      const env = worktreeEnvironment(setup.env, { ...(await setupVariables(privateGit, setup)), ...names });
      const limit = signal.aborted ? TEARDOWN_MS.gone : TEARDOWN_MS.asked;
      await tearDown({ ...facts, commands: setup.teardown, env, timeoutMs: Math.min(timeoutMs, limit) });
    }
  }
}

function confinedBy(
  { confine, repoPath, worktree, dir }: TrySetup & { worktree: string; dir: string },
  at: PrivateGit,
) {
  if (!confine) return {};
  const within: CommandInput['within'] = async (inside, outside) => {
    const { placed } = await readSetupState(at);
    const linked = placed.flatMap(({ how, path }) => (how === 'linked' ? [join(repoPath, path)] : []));
    const words = confine({ worktree, dir, linked });
    return typeof words === 'function' ? words(inside, outside) : words;
  };
  return { within };
}

async function tried(
  {
    verify,
    dir,
    worktree,
    timeoutMs,
    signal,
    now,
    began,
    env,
    within,
  }: TrySetup & Pick<CommandInput, 'within'> & { worktree: string; dir: string; began: number; env: Variables },
  end: SetupEnd | undefined,
): Promise<TriedSetup> {
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
  const checks: TriedSetup['checks'] = [];
  for (const [index, argv] of verify.entries()) {
    const commandId = `try-check-${index}`;
    const startedAt = now();
    const command = { commandId, argv, cwd: worktree, dir, env, timeoutMs, startedAt, signal, ...defined({ within }) };
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
