import type { Handler } from '../ports.ts';

export const sessionList: Handler<'session.list'> = async ({ runId, limit }, { reads }) =>
  reads.listSessions({ runId: runId === undefined ? undefined : await reads.resolveRun(runId), limit });
