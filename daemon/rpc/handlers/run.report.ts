import type { Handler } from '../ports.ts';

export const runReport: Handler<'run.report'> = async ({ runId }, { reads, reports }) =>
  reports.read(await reads.resolveRun(runId));
