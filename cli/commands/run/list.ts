import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { RUN_STATES, runState } from '../../../schemas/states/run.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { emptyWords, limitOf, printCutNote } from '../../input/lists.ts';
import { type Column, printList } from '../../print/output.ts';
import { localTime, shortId } from '../../print/text.ts';

export const COLUMNS: Column<RunSummary>[] = [
  { title: 'RUN', cell: (run) => shortId(run.runId) },
  { title: 'STATE', cell: (run) => runState(run) },
  { title: 'TITLE', cell: (run) => run.title, cuts: true },
  { title: 'TEMPLATE', cell: (run) => run.template, spare: 2 },
  { title: 'PHASE', cell: (run) => run.currentPhase, spare: 1 },
  { title: 'CREATED', cell: (run) => localTime(run.createdAt), brief: (run) => age(run.createdAt) },
  { title: 'BASE', cell: (run) => run.baseBranch, spare: 3 },
  { title: 'HOST', cell: (run) => run.host, spare: 1 },
  { title: 'REPOSITORY', cell: (run) => run.repoPath, path: true },
  { title: 'WAITING FOR', cell: (run) => withLocalTimes(run.waitingFor) },
];

/** Leaves out the host column if no run shows a host. */
function columnsFor(runs: readonly RunSummary[]): Column<RunSummary>[] {
  return runs.some(({ host }) => host !== undefined) ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'HOST');
}

export const action: Run['list'] = async ({ limit: given, ...filter }, { json, all }, io) => {
  const limit = limitOf(given, all);
  return withDaemon(io, async (client) => {
    const runs = await client.call('run.list', { ...filter, limit });
    const whenEmpty = emptyWords('run', filter, RUN_STATES) ?? NONE;
    printList(io, { json, rows: runs, columns: columnsFor(runs), whenEmpty });
    await printCutNote(io, client, { of: 'runs', ...filter, shown: runs.length, limit });
    return 0;
  });
};

const NONE = 'There are no runs. Start one with devflow run start, or see devflow demo.';
