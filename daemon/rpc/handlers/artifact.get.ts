import type { Handler } from '../ports.ts';

export const artifactGet: Handler<'artifact.get'> = async ({ artifactId }, { reads }) =>
  reads.getArtifact(await reads.resolveArtifact(artifactId));
