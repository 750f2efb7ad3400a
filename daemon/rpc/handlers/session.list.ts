import type { Handler } from '../ports.ts';

export const sessionList: Handler<'session.list'> = async ({ runId, state, limit }, { reads }) => {
  const run = runId === undefined ? undefined : await reads.resolveRun(runId);
  return reads.listSessions({ runId: run, state, limit: limit || undefined });
};
