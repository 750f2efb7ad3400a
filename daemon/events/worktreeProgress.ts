import type { EventBus } from './bus.ts';

/** How many files of a run's worktree git has written. */
export interface FilesWritten {
  done: number;
  total: number;
}

/**
 * How far git is with the worktrees that it writes. It stays in memory: no decision depends on it, and a restart begins
 * the worktree again.
 */
export interface WorktreeProgress {
  report(runId: string, files: FilesWritten): void;
  end(runId: string): void;
  read(runId: string): FilesWritten | undefined;
}

export function createWorktreeProgress(bus: Pick<EventBus, 'hint'>): WorktreeProgress {
  const making = new Map<string, FilesWritten>();
  return {
    report(runId, files) {
      making.set(runId, files);
      bus.hint(runId, { event: 'run.progress', data: { runId, step: 'worktree', ...files } });
    },
    end: (runId) => void making.delete(runId),
    read: (runId) => making.get(runId),
  };
}

/** What the run waits for. */
export function progressSentence({ done, total }: FilesWritten): string {
  return `its worktree (${count(done)} of ${count(total)} files)`;
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
