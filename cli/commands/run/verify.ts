import { calls } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { paint, printTable } from '../../print/output.ts';

export const action: Run['verify'] = calls(
  'run.verify',
  (io, verdict) => {
    if (verdict.ok)
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
  },
  (verdict) => (verdict.ok ? 0 : 1),
);
