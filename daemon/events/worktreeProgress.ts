import type { EventBus } from './bus.ts';

/** The number of files of a run's worktree that git has written. */
export interface FilesWritten {
  done: number;
  total: number;
}

/**
 * The progress of git with the worktrees that it writes. It stays in memory: no decision depends on it, and a restart
 * begins the worktree again.
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

/** Says that the run waits for its worktree. */
export function progressSentence({ done, total }: FilesWritten): string {
  return `its worktree (${count(done)} of ${count(total)} files)`;
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
