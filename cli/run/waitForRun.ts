import { connectDaemon } from '../daemon/withDaemon.ts';
import { INTERRUPTED, onInterrupt } from '../interrupt.ts';
import type { Io } from '../io.ts';
import { createLiveLine } from '../print/liveLine.ts';
import { printJson } from '../print/output.ts';
import { shortId } from '../print/text.ts';
import { liveLine, NO_SNAPSHOT, progressLines, snapshotOf } from './progress.ts';
import { watchRun } from './watchRun.ts';

/**
 * Tells how a run goes until it is over: exit 0 when completed, 1 when failed or aborted. Ctrl-C leaves the run running
 * and exits 130. With JSON the story goes to standard error, and the run as it ended to standard output.
 */
export async function waitForRun(io: Io, runId: string, json: boolean): Promise<number> {
  const { signal, release } = onInterrupt();
  const line = createLiveLine(json ? { ...io, out: io.err, outIsTty: io.errIsTty } : io);
  let told = NO_SNAPSHOT;
  line.print(`run ${runId}: started`);
  try {
    const run = await watchRun({
      connect: () => connectDaemon(io),
      runId,
      signal,
      onChange: (now) => {
        for (const text of progressLines(told, now)) line.print(text);
        told = snapshotOf(now);
        line.show((seconds) => liveLine(now, seconds));
      },
      onAway: () => line.print('The daemon does not answer; waiting for it to come back.'),
    });
    if (run === undefined) {
      line.print(`The run ${runId} goes on. See devflow run show ${shortId(runId)}.`);
      return INTERRUPTED;
    }
    if (run.finalReportPath) line.print(`report: ${run.finalReportPath}`);
    line.end();
    if (json) printJson(io, run);
    return run.state === 'completed' ? 0 : 1;
  } finally {
    line.end();
    release();
  }
}
