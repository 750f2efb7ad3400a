import { numberText } from '../../schemas/objective/words.ts';
import type { LoopSummary } from '../../schemas/rpc/views/backtest.ts';
import { runState } from '../../schemas/states/run.ts';
import { age } from '../../schemas/time/duration.ts';
import { calls, withDaemon } from '../daemon/withDaemon.ts';
import type { Backtest } from '../define/backtest.ts';
import { limitOf } from '../input/lists.ts';
import { readJson } from '../input/readInput.ts';
import { type Column, printJson, printList } from '../print/output.ts';
import { page } from '../print/pager.ts';
import { patchLines } from '../print/patch.ts';
import { comparison, printIteration, printLoop, printTry } from '../print/run/backtest.ts';
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

export const actions: Backtest = {
  async list(params, { json, all }, io) {
    const limit = limitOf(params.limit, all);
    const loops = await withDaemon(io, (client) => client.call('backtest.list', { limit }));
    printList(io, { json, rows: loops, columns: COLUMNS, whenEmpty: NONE });
    return 0;
  },
  async try(params, { json, ...files }, io) {
    const objective = await readJson(io, files.objective, 'the objective');
    const extra = files.extra === undefined ? undefined : await readJson(io, files.extra, 'the extra inputs');
    const request = { ...params, objective, extra: extra as Record<string, unknown> | undefined };
    const answer = await withDaemon(io, (client) => client.call('backtest.try', request));
    if (json) printJson(io, answer);
    else printTry(io, answer);
    return answer.faults.length > 0 ? 1 : 0;
  },
  show: calls('backtest.show', (io, answer) => {
    if (answer.detail) printIteration(io, answer.detail);
    else printLoop(io, answer);
  }),
  async compare(params, { json, pager }, io) {
    const answer = await withDaemon(io, (client) => client.call('backtest.compare', params));
    if (json) {
      printJson(io, answer);
      return 0;
    }
    const { diff } = answer;
    const patch = diff === null ? ['A commit of them is gone.'] : patchLines(io, diff.patch);
    await page(io, `${comparison(io, answer)}\n${patch.join('\n')}\n`, pager);
    if (diff?.truncated) io.err('The patch is cut.\n');
    return 0;
  },
};
