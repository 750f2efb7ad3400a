import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { createLiveLine } from '../print/liveLine.ts';

const STEP_PERCENT = 25;

/**
 * Prints the progress of a run's worktree during `work`. A terminal gets one redrawn line, other outputs a few lines on
 * standard error. A small worktree is complete before any progress is reported.
 */
export async function withStartProgress<T>(io: Io, client: Client, runId: string, work: () => Promise<T>): Promise<T> {
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  let lastStep = -1;
  line.show((seconds) => `starting the run · ${seconds}s`);
  const subscription = await client.subscribe({ kinds: ['run.progress'] }, (notification) => {
    if (notification.event !== 'run.progress' || notification.data.runId !== runId) return;
    if (notification.data.step !== 'worktree') return;
    const { done, total } = notification.data;
    const text = `creating the worktree: ${count(done)} of ${count(total)} files`;
    line.show((seconds) => `${text} · ${seconds}s`);
    const step = Math.floor(((done / total) * 100) / STEP_PERCENT);
    if (!io.errIsTty && step > lastStep) io.err(`${text}\n`);
    lastStep = Math.max(lastStep, step);
  });
  try {
    return await work();
  } finally {
    line.end();
    await subscription.close().catch(() => {});
  }
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
