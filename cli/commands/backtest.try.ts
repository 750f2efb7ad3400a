import { withDaemon } from '../daemon/withDaemon.ts';
import type { Backtest } from '../define/backtest.ts';
import { readJson } from '../input/readInput.ts';
import { printTry } from '../print/backtest.ts';
import { printJson } from '../print/output.ts';

export const action: Backtest['try'] = async (params, { json, ...files }, io) => {
  const objective = await readJson(io, files.objective, 'the objective');
  const extra = files.extra === undefined ? undefined : await readJson(io, files.extra, 'the extra inputs');
  const request = { ...params, objective, extra: extra as Record<string, unknown> | undefined };
  const answer = await withDaemon(io, (client) => client.call('backtest.try', request));
  if (json) printJson(io, answer);
  else printTry(io, answer);
  return answer.faults.length > 0 ? 1 : 0;
};
