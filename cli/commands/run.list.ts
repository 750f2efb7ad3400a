import type { RunState } from '../../schemas/enums.ts';
import type { RunSummary } from '../../schemas/rpc/views/run.ts';
import type { Action } from '../io.ts';
import { type Column, printJson, printTable } from '../output.ts';
import { wholeNumber } from '../parse.ts';
import { localTime, shortId } from '../text.ts';
import { withDaemon } from '../withDaemon.ts';

const COLUMNS: Column<RunSummary>[] = [
  { title: 'RUN', cell: (run) => shortId(run.runId) },
  { title: 'STATE', cell: (run) => run.state, state: true },
  { title: 'TEMPLATE', cell: (run) => run.template },
  { title: 'PHASE', cell: (run) => run.currentPhase },
  { title: 'CREATED', cell: (run) => localTime(run.createdAt) },
  { title: 'BASE', cell: (run) => run.baseBranch },
  { title: 'REPOSITORY', cell: (run) => run.repoPath },
  { title: 'WAITING FOR', cell: (run) => run.waitingFor },
];

interface Options {
  json?: boolean;
  state?: RunState;
  limit?: string;
}

export const action: Action = async (_args: [], { json, state, limit }: Options, io) => {
  const runs = await withDaemon(io, (client) =>
    client.call('run.list', { state, limit: limit === undefined ? undefined : wholeNumber('--limit', limit) }),
  );
  if (json) printJson(io, runs);
  else printTable(io, runs, COLUMNS, 'There are no runs. Start one with devflow run start, or see devflow demo.');
  return 0;
};
