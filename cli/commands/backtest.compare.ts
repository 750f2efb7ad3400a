import { withDaemon } from '../daemon/withDaemon.ts';
import { iterationFrom } from '../input/iteration.ts';
import type { Action } from '../io/io.ts';
import { comparison } from '../print/backtest.ts';
import { printJson } from '../print/output.ts';
import { page } from '../print/pager.ts';
import { patchLines } from '../print/patch.ts';

interface Options {
  json?: boolean;
  pager: boolean;
}

export const action: Action = async (
  [runId, first, second]: [string, string?, string?],
  { json, pager }: Options,
  io,
) => {
  const a = first === undefined ? undefined : iterationFrom(first);
  const b = second === undefined ? undefined : iterationFrom(second);
  const answer = await withDaemon(io, (client) => client.call('backtest.compare', { runId, a, b }));
  if (json) {
    printJson(io, answer);
    return 0;
  }
  const { diff } = answer;
  const patch = diff === null ? ['A commit of them is gone.'] : patchLines(io, diff.patch);
  await page(io, `${comparison(io, answer)}\n${patch.join('\n')}\n`, pager);
  if (diff?.truncated) io.err('The patch is cut.\n');
  return 0;
};
