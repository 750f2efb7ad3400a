import type { Handler } from '../ports.ts';

export const runList: Handler<'run.list'> = ({ state, limit }, { reads }) =>
  reads.listRuns({ state, limit: limit || undefined });
