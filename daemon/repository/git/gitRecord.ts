import { AsyncLocalStorage } from 'node:async_hooks';

/** A call of git that may have changed a repository. */
export interface GitChange {
  argv: string[];
  cwd: string;
  /** Null if a signal ended git. */
  exitCode: number | null;
  startedAt: Date;
  endedAt: Date;
}

/**
 * Subcommands that change refs, commits or worktrees. Most other calls only read, or write devflow's own index.
 */
const CHANGING = new Set([
  ...['worktree', 'update-ref', 'symbolic-ref', 'commit', 'commit-tree', 'branch', 'reset', 'checkout', 'merge'],
  ...['rebase', 'cherry-pick', 'fetch', 'stash', 'clean'],
]);

const recording = new AsyncLocalStorage<GitChange[]>();
let recordings = 0;

/** Runs `act`, then passes git's changes to `keep`, even if `act` fails. Without a change it does not call `keep`. */
export async function recordingGit<T>(
  keep: (changes: GitChange[]) => Promise<void>,
  act: () => Promise<T>,
): Promise<T> {
  const changes: GitChange[] = [];
  recordings += 1;
  try {
    return await recording.run(changes, act);
  } finally {
    recordings -= 1;
    // While a storage is enabled, Node tracks every promise of the process, which costs memory and time.
    if (recordings === 0) recording.disable();
    if (changes.length > 0) await keep(changes);
  }
}

/** Records a git call that may change something. Does nothing outside `recordingGit`. */
export function noteGit(subcommand: string, change: GitChange): void {
  if (CHANGING.has(subcommand)) recording.getStore()?.push(change);
}
