import { age } from '../../schemas/duration.ts';
import { numberText } from '../../schemas/objective/words.ts';
import type { LoopSummary } from '../../schemas/rpc/views/backtest.ts';
import { runState } from '../../schemas/states/run.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Backtest } from '../define/backtest.ts';
import { limitOf } from '../input/lists.ts';
import { type Column, printList } from '../print/output.ts';
import { localTime, shortId } from '../print/text.ts';

const COLUMNS: Column<LoopSummary>[] = [
  { title: 'RUN', cell: ({ runId }) => shortId(runId) },
  { title: 'STATE', cell: (loop) => runState(loop) },
  { title: 'METRIC', cell: ({ metric }) => metric },
  { title: 'BASE', cell: ({ base }) => (base === null ? '-' : numberText(base)), align: 'right' },
  { title: 'BEST', cell: ({ best }) => (best ? numberText(best.value) : '-'), align: 'right' },
  { title: 'TARGETS', cell: ({ best, targets }) => `${best?.targetsMet ?? 0}/${targets}`, align: 'right' },
  { title: 'ITERATIONS', cell: ({ iterations }) => iterations, align: 'right', spare: 1 },
  { title: 'STOP', cell: ({ stop }) => stop, spare: 2 },
  { title: 'CREATED', cell: ({ createdAt }) => localTime(createdAt), brief: ({ createdAt }) => age(createdAt) },
  { title: 'REPOSITORY', cell: ({ repoPath }) => repoPath, path: true },
];

const NONE =
  'No run is judged by measurements yet. Start one with devflow run start --template backtest-strategy --objective <file>.';

export const action: Backtest['list'] = async (params, { json, all }, io) => {
  const limit = limitOf(params.limit, all);
  const loops = await withDaemon(io, (client) => client.call('backtest.list', { limit }));
  printList(io, { json, rows: loops, columns: COLUMNS, whenEmpty: NONE });
  return 0;
};
