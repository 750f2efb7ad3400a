import type { Handler } from '../ports.ts';

export const runGet: Handler<'run.get'> = async ({ runId }, { reads }) => reads.getRun(await reads.resolveRun(runId));
