import type { Handler } from '../ports.ts';

export const runDiff: Handler<'run.diff'> = async ({ runId }, { reads, work }) =>
  work.diff(await reads.resolveRun(runId));
