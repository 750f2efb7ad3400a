import { sizeOf } from '../../schemas/states/setup.ts';
import type { EventBus } from './bus.ts';

/** The number of files of a run's worktree that git has written. */
export interface FilesWritten {
  done: number;
  total: number;
}

/** The progress of the copies from the person's checkout to the worktree of a lane. */
export interface FilesCopied {
  laneId: string;
  files: number;
  bytes: number;
}

/**
 * The progress of git with the worktrees that it writes, and of devflow with their set-up. It stays in memory: no decision
 * depends on it, and a restart begins the worktree again.
 */
export interface WorktreeProgress {
  report(runId: string, files: FilesWritten): void;
  end(runId: string): void;
  read(runId: string): FilesWritten | undefined;
  copied(runId: string, copied: FilesCopied): void;
  endCopy(runId: string, laneId: string): void;
  readCopies(runId: string): FilesCopied[];
}

export function createWorktreeProgress(bus: Pick<EventBus, 'hint'>): WorktreeProgress {
  const making = new Map<string, FilesWritten>();
  const copying = new Map<string, FilesCopied & { runId: string }>();
  const keyOf = (runId: string, laneId: string) => `${runId} ${laneId}`;
  return {
    report(runId, files) {
      making.set(runId, files);
      bus.hint(runId, { event: 'run.progress', data: { runId, step: 'worktree', ...files } });
    },
    end: (runId) => void making.delete(runId),
    read: (runId) => making.get(runId),
    copied(runId, copied) {
      copying.set(keyOf(runId, copied.laneId), { runId, ...copied });
      bus.hint(runId, { event: 'run.progress', data: { runId, step: 'setup', done: copied.files, total: 0 } });
    },
    endCopy: (runId, laneId) => void copying.delete(keyOf(runId, laneId)),
    readCopies: (runId) => [...copying.values()].filter((each) => each.runId === runId),
  };
}

/** Says that the run waits for its worktree. */
export function progressSentence({ done, total }: FilesWritten): string {
  return `its worktree (${count(done)} of ${count(total)} files)`;
}

/** Says that the run waits for the set-up of a worktree. */
export function copySentence({ laneId, files, bytes }: FilesCopied): string {
  return `the set-up of ${laneId}${files > 0 ? ` (${count(files)} files, ${sizeOf(bytes)} copied)` : ''}`;
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
