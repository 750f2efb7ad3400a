import { age } from '../../schemas/duration.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io.ts';
import { printJson, printTable, yesOrNo } from '../print/output.ts';
import { localTime, shortId } from '../print/text.ts';

export const action: Action = async (_args: [], { json, run }: { json?: boolean; run: string }, io) => {
  const artifacts = await withDaemon(io, (client) => client.call('artifact.list', { runId: run }));
  if (json) printJson(io, artifacts);
  else {
    printTable(
      io,
      artifacts,
      [
        { title: 'ARTIFACT', cell: (artifact) => shortId(artifact.artifactId) },
        { title: 'PHASE', cell: (artifact) => artifact.phaseKey },
        { title: 'ATTEMPT', cell: (artifact) => artifact.attempt, align: 'right' },
        { title: 'SCHEMA', cell: (artifact) => artifact.schema },
        { title: 'VALID', cell: (artifact) => yesOrNo(artifact.valid) },
        {
          title: 'CREATED',
          cell: (artifact) => localTime(artifact.createdAt),
          brief: (artifact) => age(artifact.createdAt),
        },
        { title: 'PATH', cell: (artifact) => artifact.storedPath ?? artifact.path, path: true },
      ],
      'The run has no artifacts yet.',
    );
  }
  return 0;
};
