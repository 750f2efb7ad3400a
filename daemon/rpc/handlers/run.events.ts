import type { Handler } from '../ports.ts';

export const runEvents: Handler<'run.events'> = async ({ runId, afterSeq, limit }, { reads }) =>
  reads.readEvents(await reads.resolveRun(runId), afterSeq, limit);
