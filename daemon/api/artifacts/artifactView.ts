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
    ...(artifact.edited ? { edited: true as const } : {}),
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

/** One answer has a limit; artifacts beyond it are named, and have their own method. */
const MOST_CHARACTERS = 1024 * 1024;

export function withinLimit(artifacts: readonly ArtifactContent[]): ArtifactContent[] {
  let left = MOST_CHARACTERS;
  return artifacts.map((artifact) => {
    const { content, truncated } = artifact;
    if (content === null) return artifact;
    const shown = content.slice(0, Math.max(0, left)).toWellFormed();
    left -= content.length;
    return { ...artifact, content: shown, truncated: truncated || shown.length < content.length };
  });
}
