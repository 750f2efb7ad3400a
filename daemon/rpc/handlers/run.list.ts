import type { Handler } from '../ports.ts';

export const runList: Handler<'run.list'> = (filter, { reads }) => reads.listRuns(filter);
