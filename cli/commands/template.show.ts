import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { printTemplate } from '../print/template.ts';

export const action: Action = async ([template]: [string], { json }: { json?: boolean }, io) => {
  const detail = await withDaemon(io, (client) => client.call('template.get', { template }));
  if (json) printJson(io, detail);
  else printTemplate(io, detail);
  return 0;
};
