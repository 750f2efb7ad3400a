import { AsyncLocalStorage } from 'node:async_hooks';

/** A call of git that changed a repository: what was run, and how it ended. */
export interface GitChange {
  argv: string[];
  cwd: string;
  /** Null where git did not end by itself. */
  exitCode: number | null;
  startedAt: Date;
  endedAt: Date;
}

/**
 * What changes references, commits or worktrees. Reading and an index of devflow's own leave nothing behind, and are most of
 * what devflow asks git.
 */
const CHANGING = new Set([
  ...['worktree', 'update-ref', 'symbolic-ref', 'commit', 'commit-tree', 'branch', 'reset', 'checkout', 'merge'],
  ...['rebase', 'cherry-pick', 'fetch', 'stash', 'clean'],
]);

const recording = new AsyncLocalStorage<GitChange[]>();

/** Does `act` and tells `keep` what git changed meanwhile, also when `act` fails. Without a change `keep` is not called. */
export async function recordingGit<T>(
  keep: (changes: GitChange[]) => Promise<void>,
  act: () => Promise<T>,
): Promise<T> {
  const changes: GitChange[] = [];
  try {
    return await recording.run(changes, act);
  } finally {
    if (changes.length > 0) await keep(changes);
  }
}

/** Called for each call of git that was not told to read. Costs nothing where nobody records. */
export function noteGit(subcommand: string, change: GitChange): void {
  if (CHANGING.has(subcommand)) recording.getStore()?.push(change);
}
