import { age } from '../../schemas/duration.ts';
import type { ArtifactView } from '../../schemas/rpc/views/artifact.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { type Column, printList, yesOrNo } from '../print/output.ts';
import { localTime, shortId } from '../print/text.ts';

export const action: Action = async (_args: [], { json, run }: { json?: boolean; run: string }, io) => {
  const rows = await withDaemon(io, (client) => client.call('artifact.list', { runId: run }));
  printList(io, { json, rows, columns: COLUMNS, whenEmpty: 'The run has no artifacts yet.' });
  return 0;
};

const COLUMNS: Column<ArtifactView>[] = [
  { title: 'ARTIFACT', cell: (artifact) => shortId(artifact.artifactId) },
  { title: 'PHASE', cell: (artifact) => artifact.phaseKey },
  { title: 'ATTEMPT', cell: (artifact) => artifact.attempt, align: 'right' },
  { title: 'SCHEMA', cell: (artifact) => artifact.schema },
  { title: 'VALID', cell: (artifact) => yesOrNo(artifact.valid) },
  { title: 'CREATED', cell: (artifact) => localTime(artifact.createdAt), brief: (artifact) => age(artifact.createdAt) },
  { title: 'PATH', cell: (artifact) => artifact.storedPath ?? artifact.path, path: true },
];
