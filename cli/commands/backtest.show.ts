import { withDaemon } from '../daemon/withDaemon.ts';
import { iterationFrom } from '../input/iteration.ts';
import type { Action } from '../io/io.ts';
import { printIteration, printLoop } from '../print/backtest.ts';
import { printJson } from '../print/output.ts';

export const action: Action = async ([runId, given]: [string, string?], { json }: { json?: boolean }, io) => {
  const iteration = given === undefined ? undefined : iterationFrom(given);
  const answer = await withDaemon(io, (client) => client.call('backtest.show', { runId, iteration }));
  if (json) printJson(io, answer);
  else if (answer.detail) printIteration(io, answer.detail);
  else printLoop(io, answer);
  return 0;
};
