import type { Handler } from '../ports.ts';

export const listCount: Handler<'list.count'> = async ({ of, runId, state, all }, { reads }) => {
  const run = runId === undefined ? undefined : await reads.resolveRun(runId);
  return { total: await reads.countListed(of, { runId: run, state, all }) };
};
