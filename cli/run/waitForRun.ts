import { DevflowError } from '../../schemas/errors.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { connectDaemon } from '../daemon/withDaemon.ts';
import { INTERRUPTED, onInterrupt } from '../io/interrupt.ts';
import type { Io } from '../io/io.ts';
import { createLiveLine } from '../print/liveLine.ts';
import { printJson } from '../print/output.ts';
import { shortId } from '../print/text.ts';
import { liveLine, NO_SNAPSHOT, progressLines, snapshotOf } from './progress.ts';
import { watchRun } from './watchRun.ts';

/**
 * Prints the progress of a run until it ends. Exits with 0 if it completed, and 1 if it failed or was aborted. Ctrl-C leaves
 * the run running and exits with 130. With JSON, progress goes to standard error and the ended run to standard output.
 */
export async function waitForRun(io: Io, runId: string, json: boolean, limit?: WaitLimit): Promise<number> {
  const run = await followToEnd(json ? { ...io, out: io.err, outIsTty: io.errIsTty } : io, runId, limit);
  if (run === undefined) return INTERRUPTED;
  if (json) printJson(io, run);
  return run.state === 'completed' ? 0 : 1;
}

/**
 * Prints the progress of a run until it ends. Undefined if Ctrl-C comes first: the run continues. Throws wait_timeout after
 * the limit.
 */
export async function followToEnd(io: Io, runId: string, limit?: WaitLimit): Promise<RunDetail | undefined> {
  const { signal, release } = onInterrupt();
  const late = new AbortController();
  const timer = limit && setTimeout(() => late.abort(), limit.ms);
  let seen: RunDetail | undefined;
  const line = createLiveLine(io);
  let last = NO_SNAPSHOT;
  line.print(`run ${runId}: started`);
  try {
    const run = await watchRun({
      connect: () => connectDaemon(io),
      runId,
      signal: AbortSignal.any([signal, late.signal]),
      onChange: (now) => {
        seen = now;
        for (const text of progressLines(last, now)) line.print(text);
        last = snapshotOf(now);
        line.show((seconds) => liveLine(now, seconds));
      },
      onAway: () => line.print('The daemon does not answer. Waiting for it.'),
    });
    if (run === undefined && limit && late.signal.aborted) throw waitTimedOut(runId, limit, seen);
    if (run === undefined) line.print(`The run ${runId} continues. See devflow run show ${shortId(runId)}.`);
    else if (run.finalReportPath) line.print(`report: ${run.finalReportPath}`);
    return run;
  } finally {
    clearTimeout(timer);
    line.end();
    release();
  }
}

/** The longest wait of a command for the end of a run. */
export interface WaitLimit {
  /** As the person wrote it. */
  text: string;
  ms: number;
}

/** The error for a run that has not ended in time. `run`: its last known state. */
export function waitTimedOut(runId: string, { text }: WaitLimit, run: Seen | undefined): DevflowError {
  const id = shortId(runId);
  const waitsFor = run ? [run.waitingFor, ...run.alsoWaitsFor].filter((each) => each !== null) : [];
  const why = waitsFor.length > 0 ? `. It waits for ${waitsFor.join('; ')}` : '';
  const stalled = run?.sessions.find(({ stall }) => stall !== null);
  const look = stalled ? `devflow attach ${shortId(stalled.sessionId)}` : `devflow run show ${id}`;
  return new DevflowError('wait_timeout', `run ${id} has not ended after ${text}${why}`, {
    runId,
    recoveryHint: `The run goes on. See why it waits with ${look}, or end it with devflow run abort ${id}.`,
    data: { runId, waitsFor },
  });
}

type Seen = Pick<RunDetail, 'waitingFor' | 'alsoWaitsFor'> & {
  sessions: readonly Pick<RunDetail['sessions'][number], 'sessionId' | 'stall'>[];
};
