import type { Handler } from '../ports.ts';

export const runResume: Handler<'run.resume'> = async ({ runId: ref, reason }, { reads, engine }) => {
  const runId = await reads.resolveRun(ref);
  return { runId, ...(await engine.resumeRun(runId, reason)) };
};
