import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printFacts, printJson } from '../print/output.ts';

export const action: Action = async ([persona]: [string], { json }: { json?: boolean }, io) => {
  const detail = await withDaemon(io, (client) => client.call('persona.get', { persona }));
  if (json) printJson(io, detail);
  else {
    printFacts(io, [
      ['persona', `${detail.name}@${detail.version}`],
      ['hash', detail.hash],
      ...Object.entries(detail.definition).flatMap(([name, value]): [string, string][] => {
        if (name === 'name' || name === 'version' || value === undefined || value === null) return [];
        return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
      }),
    ]);
  }
  return 0;
};
