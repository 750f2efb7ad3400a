import type { Handler } from '../ports.ts';

export const runPause: Handler<'run.pause'> = async ({ runId: ref, reason }, { reads, engine }) => {
  const runId = await reads.resolveRun(ref);
  return { runId, ...(await engine.pauseRun(runId, reason)) };
};
