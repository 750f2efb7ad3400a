import type { Handler } from '../ports.ts';

export const runVerify: Handler<'run.verify'> = async ({ runId }, { reads, verify }) =>
  verify.run(await reads.resolveRun(runId));
