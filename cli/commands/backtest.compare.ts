import { withDaemon } from '../daemon/withDaemon.ts';
import type { Backtest } from '../define/backtest.ts';
import { comparison } from '../print/backtest.ts';
import { printJson } from '../print/output.ts';
import { page } from '../print/pager.ts';
import { patchLines } from '../print/patch.ts';

export const action: Backtest['compare'] = async (params, { json, pager }, io) => {
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
};
