import type { Handler } from '../ports.ts';

export const runCleanup: Handler<'run.cleanup'> = async ({ runId, lane, force }, { reads, cleanup }) =>
  cleanup.run(await reads.resolveRun(runId), { lane, force });
