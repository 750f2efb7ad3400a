import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { paint, printJson, printTable } from '../print/output.ts';

export const action: Action = async ([runId]: [string], { json }: { json?: boolean }, io) => {
  const verdict = await withDaemon(io, (client) => client.call('run.verify', { runId }));
  if (json) printJson(io, verdict);
  else if (verdict.ok)
    io.out(`${paint(io, 'green', 'ok')}: replaying the events of ${verdict.runId} gives its stored rows.\n`);
  else {
    printTable(
      io,
      verdict.differences,
      [
        { title: 'PATH', cell: (difference) => difference.path },
        { title: 'REPLAYED', cell: (difference) => JSON.stringify(difference.replayed) },
        { title: 'STORED', cell: (difference) => JSON.stringify(difference.stored) },
      ],
      'The rows differ from the events.',
    );
  }
  return verdict.ok ? 0 : 1;
};
