import type { Client } from '../client/connect.ts';
import type { Io } from '../io.ts';
import { createLiveLine } from '../print/liveLine.ts';

const STEP_PERCENT = 25;

/**
 * Says how far the worktree of a run is while `work` goes on: in a line that is redrawn on a terminal, else in a few lines on
 * standard error. A small worktree is there before there is anything to say.
 */
export async function withStartProgress<T>(io: Io, client: Client, runId: string, work: () => Promise<T>): Promise<T> {
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  let told = -1;
  line.show((seconds) => `starting the run · ${seconds} s`);
  const subscription = await client.subscribe({ kinds: ['run.progress'] }, (notification) => {
    if (notification.event !== 'run.progress' || notification.data.runId !== runId) return;
    const { done, total } = notification.data;
    const text = `making the worktree: ${count(done)} of ${count(total)} files`;
    line.show((seconds) => `${text} · ${seconds} s`);
    const step = Math.floor(((done / total) * 100) / STEP_PERCENT);
    if (!io.errIsTty && step > told) io.err(`${text}\n`);
    told = Math.max(told, step);
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
