import { DevflowError } from '../../schemas/errors.ts';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { shortId } from '../print/text.ts';

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
