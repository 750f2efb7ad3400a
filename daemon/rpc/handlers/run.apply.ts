import type { Handler } from '../ports.ts';

export const runApply: Handler<'run.apply'> = async ({ runId, ...wish }, { reads, work }) =>
  work.apply(await reads.resolveRun(runId), wish);
