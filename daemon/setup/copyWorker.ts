import { parentPort, workerData } from 'node:worker_threads';
import type { CopyNews, FailedCall } from './copyInWorker.ts';
import { type CopyJob, copyTree } from './copyTree.ts';

/** The thread that copies. It ends after the last job, or with the daemon. */
function copyAll(jobs: readonly CopyJob[]): void {
  const send = (news: CopyNews) => parentPort?.postMessage(news);
  const before = { files: 0, bytes: 0 };
  for (const job of jobs) {
    try {
      const copied = copyTree(job, ({ files, bytes }) =>
        send({ progress: { files: before.files + files, bytes: before.bytes + bytes } }),
      );
      before.files += copied.files;
      before.bytes += copied.bytes;
      send({ copied });
    } catch (error) {
      send({ failed: failureOf(error, job) });
      return;
    }
  }
}

/** Names the copy: the path of the call itself may go through an open directory. */
function failureOf(error: unknown, { path, to }: CopyJob): FailedCall {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return {
    message: code === undefined ? message : `${code}: ${syscall} of a copy of ${path}`,
    code,
    syscall,
    path: to,
  };
}

copyAll(workerData as CopyJob[]);
