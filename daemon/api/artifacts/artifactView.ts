import type { ArtifactContent, ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import { lostSentence, readValidated } from '../../artifacts/storedArtifact.ts';
import { worktreeWith } from '../../core/run/lanes.ts';
import type { Artifact, Run } from '../../core/run/state.ts';

/** A screen shows at most this many bytes of an artifact. */
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

/** The artifact with its text. It shows the validated bytes or none. */
export async function artifactContent(run: Run, artifact: Artifact): Promise<ArtifactContent> {
  const view = artifactView(run, artifact);
  const bytes = await readValidated(artifact, worktreeWith(run, artifact.path)).catch(() => undefined);
  if (!bytes) return { ...view, content: null, truncated: false, fault: lostSentence(artifact) };
  const truncated = bytes.length > SHOWN_BYTES;
  return { ...view, content: bytes.toString('utf8', 0, SHOWN_BYTES), truncated };
}
