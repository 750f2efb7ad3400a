import type { ArtifactView } from '../../schemas/rpc/views/artifact.ts';
import { age } from '../../schemas/time/duration.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Artifact } from '../define/catalog.ts';
import { readInput } from '../input/readInput.ts';
import { printArtifactVerdict } from '../print/definition/verdict.ts';
import { type Column, printList, yesOrNo } from '../print/output.ts';
import { localTime, shortId } from '../print/text.ts';

/** `devflow artifact …`. */
export const actions: Artifact = {
  async list(params, { json }, io) {
    const rows = await withDaemon(io, (client) => client.call('artifact.list', params));
    printList(io, { json, rows, columns: COLUMNS, whenEmpty: 'The run has no artifacts yet.' });
    return 0;
  },
  async validate(params, { file, json }, io) {
    const text = await readInput(io, file, 'the artifact file');
    const verdict = await callDaemonOrOneshot(io, 'artifact.validate', { ...params, text });
    return printArtifactVerdict(io, verdict, file, json);
  },
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
