import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

export const action: Action = async ([runId]: [string], { json }: { json?: boolean }, io) => {
  const report = await withDaemon(io, (client) => client.call('run.report', { runId }));
  if (json) printJson(io, report.json);
  else io.out(`${visible(report.markdown, 'text').trimEnd()}\n`);
  return 0;
};
