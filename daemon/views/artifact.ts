import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../../schemas/openRegular.ts';
import type { ArtifactContent, ArtifactView } from '../../schemas/rpc/views/artifact.ts';
import type { Artifact, Run } from '../engine/core/state.ts';
import { readArtifact } from '../harness/artifactFile.ts';

/** What is read of an artifact for a screen, in bytes. */
const SHOWN_BYTES = 256 * 1024;

export function artifactView(run: Run, artifact: Artifact): ArtifactView {
  const phase = run.phases.find((candidate) => candidate.id === artifact.phaseId);
  return {
    artifactId: artifact.id,
    runId: run.id,
    phaseKey: phase?.key ?? null,
    roleId: artifact.roleId,
    attempt: artifact.attempt,
    path: artifact.path,
    storedPath: artifact.storedPath,
    schema: artifact.schema,
    hash: artifact.hash,
    valid: artifact.valid,
    errors: artifact.errors ?? [],
    createdAt: artifact.createdAt,
  };
}

/** With its text: the stored copy of a valid one, the agent's own file otherwise. */
export async function artifactContent(run: Run, artifact: Artifact): Promise<ArtifactContent> {
  const view = artifactView(run, artifact);
  const text = await (artifact.storedPath === null ? readOfAgent(run, artifact) : readStored(artifact.storedPath));
  return { ...view, ...(text ?? { content: null, truncated: false }) };
}

type Text = Pick<ArtifactContent, 'content' | 'truncated'> | undefined;

async function readStored(path: string): Promise<Text> {
  const file = openRegular(path);
  if (!file.ok) return undefined;
  try {
    const buffer = Buffer.alloc(SHOWN_BYTES);
    const length = readSync(file.fd, buffer, 0, buffer.length, 0);
    return { content: buffer.toString('utf8', 0, length), truncated: fstatSync(file.fd).size > length };
  } finally {
    closeSync(file.fd);
  }
}

/** It was refused, perhaps for being a pipe or a link to a secret: shown is only what could have been accepted. */
async function readOfAgent(run: Run, { path }: Artifact): Promise<Text> {
  const file = await readArtifact(path, run.worktreeRoot).catch(() => undefined);
  const bytes = file?.bytes;
  return bytes && { content: bytes.toString('utf8', 0, SHOWN_BYTES), truncated: bytes.length > SHOWN_BYTES };
}
