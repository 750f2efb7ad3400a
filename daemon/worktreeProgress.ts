import type { EventBus } from './events/bus.ts';

/** How many files of a run's worktree git has written. */
export interface FilesWritten {
  done: number;
  total: number;
}

/**
 * Worktrees that are being made, for as long as git writes many files. It is no event of the run: nothing follows from it,
 * and after a restart it begins anew.
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

/** What a run waits for meanwhile. */
export function progressSentence({ done, total }: FilesWritten): string {
  return `its worktree (${count(done)} of ${count(total)} files)`;
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
