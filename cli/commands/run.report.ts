import { withDaemon } from '../daemon/withDaemon.ts';
import type { Run } from '../define/run.ts';
import { printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

export const action: Run['report'] = async (params, { json }, io) => {
  const report = await withDaemon(io, (client) => client.call('run.report', params));
  if (json) printJson(io, report.json);
  else io.out(`${visible(report.markdown, 'text').trimEnd()}\n`);
  return 0;
};
