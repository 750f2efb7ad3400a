import type { Handler } from '../ports.ts';

export const runAbort: Handler<'run.abort'> = async ({ runId: ref, reason }, { reads, engine }) => {
  const runId = await reads.resolveRun(ref);
  return { runId, ...(await engine.abortRun(runId, reason ?? 'aborted by a person')) };
};
